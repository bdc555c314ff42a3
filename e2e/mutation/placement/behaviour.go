// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	createRequest  = csi.CreateVolumeRequest
	createResponse = csi.CreateVolumeResponse
)

// asking makes a driver that reads a different request than it got: always, or if all conditions hold.
func asking(change func(*createRequest), when ...func(*createRequest) bool) mutation.Fault {
	return mutation.Asking(func(r *createRequest) {
		if !slices.ContainsFunc(when, func(isSo func(*createRequest) bool) bool { return !isSo(r) }) {
			change(r)
		}
	})
}

// saying makes a driver that answers for a full segment with another status.
func saying(other func(exhausted *status.Status) error) mutation.Fault {
	return mutation.InsteadOf(codes.ResourceExhausted, func(_ context.Context, _ mutation.Right, _ *createRequest, exhausted error) (*createResponse, error) {
		return nil, other(status.Convert(exhausted))
	})
}

// anywhere drops the topology requirement of a request.
func anywhere(r *createRequest) { r.AccessibilityRequirements = nil }

func contains(topologies []*csi.Topology, wanted *csi.Topology) bool {
	return slices.ContainsFunc(topologies, func(t *csi.Topology) bool { return maps.Equal(t.GetSegments(), wanted.GetSegments()) })
}

// wrongForms returns drivers that refuse a form of requirement that a CO may choose. Cases about something else use
// another form.
func wrongForms() map[string]mutation.Expectation {
	const segments = 4 // of the reference driver
	wrong := map[string]mutation.Expectation{
		// vsphere-csi-driver reads preferred only.
		"reads preferred only": mutation.Wrong(refusingForm("no shared datastore found for the topology requirement", func(required *csi.TopologyRequirement) bool {
			return len(required.GetRequisite()) > 0 && len(required.GetPreferred()) == 0
		}), mutation.Fails("requisite_without_preferred", "TR-07")).Seen("vsphere-csi-driver bf8090256"),
		// cloudstack-csi-driver is deployed with csi-provisioner --strict-topology.
		"takes one topology only": mutation.Wide(OneTopology(), mutation.Fails("T-EQ-2", "TR-07"),
			mutation.Fails("T-LT-1 T-LT-2", "TR-11"), mutation.Fails("T-PF-1a T-PF-2a preferred_rotated", "PF-03"),
			mutation.Passes("requisite_and_preferred_of_one requisite_without_preferred T-EQ-1 T-NR T-ID-2")).Seen("cloudstack-csi-driver 3c9de10"),
		"refuses preferred that is all of requisite": mutation.Wide(refusingForm("preferred repeats requisite", func(required *csi.TopologyRequirement) bool {
			return len(required.GetRequisite()) == 1 && len(required.GetPreferred()) == 1
		}), mutation.Fails("requisite_and_preferred_of_one", "PF-03")),
		"takes all topologies only": mutation.Wide(refusingForm("want all topologies, in requisite and preferred", func(required *csi.TopologyRequirement) bool {
			return min(len(required.GetRequisite()), len(required.GetPreferred())) < segments
		}), mutation.Fails("requisite_and_preferred_of_one", "PF-03"), mutation.Fails("requisite_without_preferred T-EQ-1", "TR-07"),
			mutation.Fails("T-PO-1", "PF-03"), mutation.Passes("preferred_rotated")),
		"takes requisite alone": mutation.Wide(refusingForm("preferred is not supported", func(required *csi.TopologyRequirement) bool {
			return len(required.GetPreferred()) > 0
		}), mutation.Fails("requisite_and_preferred_of_one T-PF-1a T-PF-2a T-PO-1 preferred_rotated", "PF-03"),
			mutation.Passes("requisite_without_preferred T-EQ-1 T-LT-1 T-NR T-ID-2")),
		// vsphere-csi-driver reads the location of a volume only for a request with a requirement.
		"wants a requirement for a new name, and forgets where a known one is": mutation.Wide(forgetsWhere(),
			mutation.Fails("name_repeated_without_requirement", "CV-03"), mutation.Warns("T-NR", "CV-23"),
			mutation.Passes("T-ID-1 name_repeated_in_other_words")).Seen("vsphere-csi-driver bf8090256"),
	}
	for name, expectation := range wrong {
		expectation.Preflight = true
		wrong[name] = expectation
	}
	return wrong
}

// OneTopology makes a driver that refuses lists of more than one topology.
func OneTopology() mutation.Fault {
	return refusingForm("too many topology requirements", func(required *csi.TopologyRequirement) bool {
		return max(len(required.GetRequisite()), len(required.GetPreferred())) > 1
	})
}

// forgetsWhere makes a driver that refuses a new name without a requirement, and answers a known one without its topology.
func forgetsWhere() mutation.Fault {
	var known sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		_, again := known.Load(r.GetName())
		if r.GetAccessibilityRequirements() == nil && !again {
			return nil, status.Error(codes.InvalidArgument, "accessibility_requirements are missing")
		}
		response, err := right.CreateVolume(ctx, r)
		if err != nil {
			return nil, err
		}
		known.Store(r.GetName(), true)
		if r.GetAccessibilityRequirements() == nil {
			response.Volume.AccessibleTopology = nil
		}
		return response, nil
	})
}

func refusingForm(message string, form func(required *csi.TopologyRequirement) bool) mutation.Fault {
	return mutation.RefusingSome(codes.InvalidArgument, message, func(r *createRequest) bool { return form(r.GetAccessibilityRequirements()) })
}
