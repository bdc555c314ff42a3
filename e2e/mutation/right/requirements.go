// SPDX-License-Identifier: Apache-2.0

package right

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// requiring returns drivers that do not accept every form of accessibility_requirements. If the specification requires them
// to accept more, their vendors waive the cases about the other forms, and no other case may fail.
func requiring() []Driver {
	return []Driver{
		{Name: "needs-requirement",
			Is:    "refuses CreateVolume without accessibility_requirements: choosing a topology then is a MAY (line 903), and Kubernetes always sends some",
			Given: []Endpoints{All, TwoNodes}, // which limits how the suite can ask for volumes in other zones
			Driver: mutation.Driver{Profile: exactDisks, Fault: refusingForm("accessibility_requirements are missing",
				func(r *csi.TopologyRequirement) bool { return r == nil })}},
		{Name: "no-requirements",
			Is: "has no topology, and refuses accessibility_requirements, which a CO SHALL NOT send then (line 900)",
			Driver: mutation.Driver{Profile: exactDisks, Options: mutation.InOneSegment, Fault: refusingForm("there are no topologies",
				func(r *csi.TopologyRequirement) bool { return r != nil }).Over(mutation.Lacking(mutation.Topology...))}},
		{Name: "one-topology-in-both",
			Is: "wants one topology, in requisite and in preferred, like cloudstack-csi-driver, as csi-provisioner sends them with --strict-topology; its vendor waives the rest",
			Driver: mutation.Driver{Profile: exactDisks + waiving("T-EQ-2 T-EQ-2F T-LT-2 T-LT-2F T-PF-1a T-PF-2a T-PF-2b T-PF-2d T-PF-3a T-PF-3e T-PO-1 requisite_without_preferred preferred_rotated preferred_three_two_topologies "+
				"name_repeated_with_other_preferred name_repeated_with_one_of_two name_repeated_for_other_pair restore_partly_in_reach clone_partly_in_reach"), Fault: refusingForm("want one topology, in requisite and preferred",
				func(r *csi.TopologyRequirement) bool { return len(r.GetRequisite()) != 1 || len(r.GetPreferred()) != 1 })}},
		{Name: "all-topologies-in-both",
			Is: "wants all topologies in requisite and in preferred, as csi-provisioner sends them without --strict-topology; its vendor waives the rest",
			Driver: mutation.Driver{Profile: exactDisks + waiving("T-EQ-1 T-EQ-2 T-LT-1 T-LT-2 T-PF-1a T-PF-2a T-PF-3a T-PO-1 T-ID-1 T-ID-2 requisite_and_preferred_of_one requisite_without_preferred requisite_every_segment preferred_three_two_topologies "+
				"name_repeated_in_other_words name_repeated_without_requirement name_repeated_with_empty_requirement name_repeated_with_other_preferred name_repeated_with_one_of_two "+
				"name_repeated_for_other_pair name_repeated_for_unknown name_used_again_elsewhere restore_partly_in_reach clone_partly_in_reach"), Fault: refusingForm("want all topologies, in requisite and preferred",
				func(r *csi.TopologyRequirement) bool { return len(r.GetRequisite()) < 4 || len(r.GetPreferred()) < 4 })}},
		{Name: "requisite-alone",
			Is: "knows no preference among topologies, and refuses one; its vendor waives the cases about it",
			Driver: mutation.Driver{Profile: exactDisks + waiving("T-PF-1a T-PF-2a T-PF-2b T-PF-2d T-PF-3a T-PF-3e T-PO-1 requisite_and_preferred_of_one preferred_rotated preferred_three_two_topologies name_repeated_with_other_preferred "+
				"restore_partly_in_reach clone_partly_in_reach"), Fault: refusingForm("preferred is not supported",
				func(r *csi.TopologyRequirement) bool { return len(r.GetPreferred()) > 0 || len(r.GetRequisite()) == 0 })}},
	}
}

// refusingForm makes a driver that refuses requirements of a form.
func refusingForm(message string, form func(*csi.TopologyRequirement) bool) mutation.Fault {
	return mutation.RefusingSome(codes.InvalidArgument, message, func(r *csi.CreateVolumeRequest) bool { return form(r.GetAccessibilityRequirements()) })
}

// waiving returns the part of a profile that waives cases about forms of accessibility_requirements.
func waiving(cases string) string {
	var text strings.Builder
	text.WriteString("waivers:\n")
	for id := range strings.FieldsSeq(cases) {
		fmt.Fprintf(&text, "- {case: %s, reason: The driver is deployed with a csi-provisioner that sends no such requirement.}\n", id)
	}
	return text.String()
}

var (
	label  = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`)
	given  = regexp.MustCompile(`^memory-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	nodeID = regexp.MustCompile(`^[a-z]{4}-[0-9]$`)
)

// hasOtherForm refuses names that are not RFC 1035 labels, and ids that the driver never gives. A deletion of something
// that does not exist succeeds (DV-02, DS-02), with any id.
func hasOtherForm(request proto.Message) error {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		source := r.GetVolumeContentSource()
		return errors.Join(must(label, r.GetName()), must(given, source.GetVolume().GetVolumeId()), must(given, source.GetSnapshot().GetSnapshotId()))
	case *csi.CreateSnapshotRequest:
		return errors.Join(must(label, r.GetName()), must(given, r.GetSourceVolumeId()))
	case *csi.DeleteVolumeRequest, *csi.DeleteSnapshotRequest:
		return nil
	}
	var err error
	if r, ok := request.(interface{ GetVolumeId() string }); ok {
		err = errors.Join(err, must(given, r.GetVolumeId()))
	}
	if r, ok := request.(interface{ GetSnapshotId() string }); ok {
		err = errors.Join(err, must(given, r.GetSnapshotId()))
	}
	if r, ok := request.(interface{ GetNodeId() string }); ok {
		err = errors.Join(err, must(nodeID, r.GetNodeId()))
	}
	return err
}

// must refuses a value that is not empty and does not have the form.
func must(form *regexp.Regexp, value string) error {
	if value == "" || form.MatchString(value) {
		return nil
	}
	return status.Errorf(codes.InvalidArgument, "%q is not of the form %s", value, form)
}
