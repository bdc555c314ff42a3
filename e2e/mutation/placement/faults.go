// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// faults returns drivers that are wrong in one way each.
func faults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"ignores requisite: always the first segment": mutation.Wide(asking(func(r *createRequest) {
			if r.AccessibilityRequirements != nil {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{mutation.Zone("Z2")}}
			}
		}),
			mutation.Fails("T-EQ-2F T-GT-1F T-BAD-3 requisite_unknown_beside_known requisite_unknown_key requisite_key_in_other_case "+
				"requisite_value_in_other_case requisite_key_twice requisite_empty_value requisite_long_value", "TR-04"),
			mutation.Fails("T-PF-1a T-PF-2a T-PF-3a T-PO-1", "PF-03"),
			mutation.Fails("T-ID-2", "CREATE-06")).Seen("csi-driver-host-path v1.18.0"),
		"goes elsewhere than to the one requisite topology of two where a volume is": mutation.Wide(elsewhereThanVolumes(),
			mutation.Fails("T-GT-1", "TR-04")),
		"ignores preferred": mutation.Wide(asking(func(r *createRequest) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) > 0 {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: requisite}
			} else {
				r.AccessibilityRequirements = nil
			}
		}), mutation.Fails("T-PF-1a T-PF-2a T-PF-3a T-PO-1 preferred_rotated", "PF-03")),
		"ignores the order of preferred": mutation.Wide(asking(func(r *createRequest) {
			slices.SortFunc(r.GetAccessibilityRequirements().GetPreferred(), func(a, b *csi.Topology) int {
				return strings.Compare(mutation.ZoneOf(a), mutation.ZoneOf(b))
			})
		}), mutation.Fails("T-PF-2a T-PO-1 preferred_rotated", "PF-03")),
		"uses preferred that is not in requisite": mutation.Wrong(asking(func(r *createRequest) {
			required := r.GetAccessibilityRequirements()
			for _, preferred := range required.GetPreferred() {
				if len(required.GetRequisite()) > 0 && !contains(required.GetRequisite(), preferred) {
					required.Requisite = []*csi.Topology{preferred}
					required.Preferred = nil
				}
			}
		}), mutation.Fails("T-BAD-1 preferred_outside_full_requisite", "TR-04")),
		"never falls back from preferred": mutation.Wrong(asking(func(r *createRequest) {
			required := r.GetAccessibilityRequirements()
			outside := slices.ContainsFunc(required.GetPreferred(), func(p *csi.Topology) bool { return !contains(required.GetRequisite(), p) })
			if valid := len(required.GetRequisite()) == 0 || !outside; valid && len(required.GetPreferred()) > 0 {
				required.Requisite = required.GetPreferred()
			}
		}), mutation.Fails("preferred_three_two_topologies", "TR-11"),
			mutation.Warns("T-PF-1b T-PF-2c T-PF-3b T-PF-3c T-PF-3d", "PF-05"), mutation.Warns("T-PO-2", "PF-06")),
		"places outside requisite when it is full": mutation.Wide(
			mutation.Retrying(codes.ResourceExhausted, anywhere), mutation.Fails("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-ID-3", "TR-04")).Seen("aws-ebs-csi-driver issue 412, external-provisioner issue 221"),
		"x < n: answers with all n": mutation.Wide(mutation.AnsweringVolume(func(r *createRequest, v *csi.Volume) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(v.GetAccessibleTopology()) < len(requisite) {
				v.AccessibleTopology = requisite
			}
		}), mutation.Fails("T-LT-1 T-PF-1a T-LT-2", "TR-11"), mutation.Fails("T-ID-1", "CV-03")),
		"x > n: answers with n only": mutation.Wrong(mutation.AnsweringVolume(func(r *createRequest, v *csi.Volume) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) > 0 && len(v.GetAccessibleTopology()) > len(requisite) {
				v.AccessibleTopology = requisite
			}
		}), mutation.Fails("T-GT-1 T-GT-1F", "TR-17"), mutation.Fails("name_repeated_with_one_of_two", "CV-03")),
		"x > n: refuses": mutation.Wide(
			mutation.RefusingSome(codes.InvalidArgument, "want two zones, found one", func(r *createRequest) bool {
				return r.GetParameters()["zones"] == "2" && len(r.GetAccessibilityRequirements().GetRequisite()) == 1
			}), mutation.Warns("T-GT-1 T-GT-1F", "TR-16"), mutation.Fails("name_repeated_with_one_of_two", "CV-03")),
		"answers with the same segment twice": mutation.Wide(mutation.AnsweringVolume(func(_ *createRequest, v *csi.Volume) {
			if len(v.GetAccessibleTopology()) > 1 {
				v.AccessibleTopology[1] = v.GetAccessibleTopology()[0]
			}
		}), mutation.Fails("T-EQ-2 T-LT-2 T-GT-1 T-PF-3a", "TR-11")),
		"answers without accessible_topology": mutation.Wide(mutation.AnsweringVolume(func(_ *createRequest, v *csi.Volume) {
			v.AccessibleTopology = nil
		}), mutation.Warns("T-EQ-1 T-LT-1 T-NR", "VOL-17"),
			mutation.Skips("topology_listed topology_got", suite.ByCapability)).Seen("csi-digitalocean 0711283d"),
		"adds a key that no node reports": mutation.Wide(saysOfVolumes("topology.hostpath.topo.csi/rack", "1"),
			mutation.Fails("T-EQ-1 T-LT-1", "TR-04"), mutation.Warns("T-NR", "TR-16")),
		"answers with a key in another letter case": mutation.Wide(mutation.AnsweringVolume(func(_ *createRequest, v *csi.Volume) {
			for _, t := range v.GetAccessibleTopology() {
				t.Segments[strings.ToUpper(topology.ZoneKey)] = mutation.ZoneOf(t)
				delete(t.Segments, topology.ZoneKey)
			}
		}), mutation.Fails("T-EQ-1 T-LT-1 T-NR", "TO-08")),
		"takes an empty requirement for an internal error": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, "index out of range [0] with length 0", func(r *createRequest) bool {
				return r.AccessibilityRequirements != nil && proto.Size(r.GetAccessibilityRequirements()) == 0
			}), mutation.Fails("T-BAD-2 name_repeated_with_empty_requirement", "GEN-12")),
		"INTERNAL when full":         mutation.Wide(mutation.Recoding[*createRequest](codes.ResourceExhausted, codes.Internal), wrongCodeWhenFull()...).Seen("external-provisioner issue 697"),
		"makes volumes up when full": mutation.Wide(makesUp(1), mutation.Fails("at_once_last_room", "TR-08")),
		"makes volumes up when all of several topologies are full": mutation.Wide(makesUp(2),
			mutation.Fails("T-EQ-2F", "TR-08"), mutation.Fails("T-LT-1F T-LT-2F", "TR-12"),
			mutation.Fails("T-PF-2d T-PF-3e", "PF-07")),
		"no message when full": mutation.Wide(saying(func(exhausted *status.Status) error {
			return status.Error(exhausted.Code(), "")
		}), caughtWhenFull("GEN-15")...),
		"status details when full": mutation.Wide(saying(func(exhausted *status.Status) error {
			detailed, err := exhausted.WithDetails(&emptypb.Empty{})
			if err != nil {
				panic(err)
			}
			return detailed.Err()
		}), caughtWhenFull("GEN-16")...),
		"a failed call leaves space taken": mutation.Wide(
			mutation.InsteadOf(codes.ResourceExhausted, func(ctx context.Context, right mutation.Right, r *createRequest, exhausted error) (*createResponse, error) {
				left := proto.CloneOf(r)
				left.Name += "-left"
				left.AccessibilityRequirements = nil
				if _, err := right.CreateVolume(ctx, left); err != nil && status.Code(err) != codes.ResourceExhausted {
					return nil, err
				}
				return nil, exhausted
			}), mutation.Warns("T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-ID-3 requisite_unknown_needed", "CV-07")),
		"never answers without a requirement": mutation.Wide(
			mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
				if r.GetAccessibilityRequirements() == nil {
					<-ctx.Done()
				}
				return right.CreateVolume(ctx, r)
			}), mutation.Fails("T-NR", "GEN-08")),
		"a failed call keeps its name": mutation.Wrong(keepsTheName(), mutation.Fails("T-ID-3", "TR-07"),
			mutation.Fails("at_once_last_room", "CREATE-08")),
		"a repeated name answers with another segment": mutation.Wide(repeating(func(v *csi.Volume) {
			v.AccessibleTopology = []*csi.Topology{mutation.Zone("Z3")}
		}), mutation.Fails("T-ID-1 name_repeated_in_other_words name_repeated_when_full", "CV-03")).Seen("topolvm 83e3dcee"),
		"a repeated name answers with another volume_id": mutation.Wide(repeating(func(v *csi.Volume) {
			v.VolumeId += "-again"
		}),
			mutation.Fails("T-ID-1 name_repeated_in_other_words name_repeated_when_full name_repeated_without_requirement", "CV-02")),
		"a repeated name returns its volume, whatever the request": mutation.Wrong(
			mutation.Retrying(codes.AlreadyExists, anywhere), mutation.Fails("T-ID-2", "CREATE-06"),
			mutation.Fails("at_once_two_zones", "CREATE-06"), mutation.Warns("name_repeated_for_other_pair", "CV-03")),
		"says that a volume is deleted, and keeps it": mutation.Wide(keepsVolumes(),
			mutation.Warns("T-EQ-1 T-LT-1F T-GT-1 T-NR T-ID-3", "CV-07")),
	}
}

// repeating makes a driver that changes its answer when it gets a name again.
func repeating(change func(*csi.Volume)) mutation.Fault {
	return mutation.Again((*createRequest).GetName, mutation.AnsweringVolume(func(_ *createRequest, v *csi.Volume) { change(v) }))
}

func keepsTheName() mutation.Fault {
	var mu sync.Mutex
	refused, made := map[string]bool{}, map[string]bool{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		if refused[r.GetName()] {
			return nil, status.Error(codes.AlreadyExists, "the name is taken")
		}
		response, err := right.CreateVolume(ctx, r)
		made[r.GetName()] = made[r.GetName()] || err == nil
		refused[r.GetName()] = !made[r.GetName()]
		return response, err
	})
}

// keepsVolumes makes a driver that keeps volumes that it should delete, except for volumes so large that they fill a
// segment.
func keepsVolumes() mutation.Fault {
	const large = 100 << 20
	var mu sync.Mutex
	kept := map[string]bool{}
	asked := mutation.AnsweringVolume(func(r *createRequest, v *csi.Volume) {
		mu.Lock()
		defer mu.Unlock()
		kept[v.GetVolumeId()] = r.GetCapacityRange().GetRequiredBytes() < large
	})
	return asked.And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		if kept[r.GetVolumeId()] {
			return &csi.DeleteVolumeResponse{}, nil
		}
		return right.DeleteVolume(ctx, r)
	}))
}

// makesUp returns a driver that answers with an invented volume if there is no room in requisite, which has at least the
// given number of topologies.
func makesUp(least int) mutation.Fault {
	return mutation.Ending(func(r *createRequest, response *createResponse, err error) (*createResponse, error) {
		topologies := r.GetAccessibilityRequirements().GetRequisite()
		if status.Code(err) != codes.ResourceExhausted || len(topologies) < least {
			return response, err
		}
		count := 1
		if r.GetParameters()["zones"] == "2" {
			count = 2
		}
		return &createResponse{Volume: &csi.Volume{
			VolumeId: "made-up-" + r.GetName(), CapacityBytes: r.GetCapacityRange().GetRequiredBytes(),
			AccessibleTopology: topologies[:min(count, len(topologies))],
		}}, nil
	})
}

// elsewhereThanVolumes makes a driver that puts a volume of two zones elsewhere if requisite is one zone that already has a
// volume.
func elsewhereThanVolumes() mutation.Fault {
	var mu sync.Mutex
	zones := map[string]string{} // by the id of a volume
	return mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*csi.CreateVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		requisite := r.GetAccessibilityRequirements().GetRequisite()
		if r.GetParameters()["zones"] == "2" && len(requisite) == 1 {
			for _, has := range zones {
				if has == mutation.ZoneOf(requisite[0]) {
					r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{mutation.Zone("Z4"), mutation.Zone("Z5")}}
				}
			}
		}
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			zones[response.GetVolume().GetVolumeId()] = mutation.ZoneOf(response.GetVolume().GetAccessibleTopology()[0])
		}
		return response, err
	}).And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) {
		mu.Lock()
		defer mu.Unlock()
		delete(zones, r.GetVolumeId())
	}))
}
