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

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// faults are drivers that are wrong in one way each.
func faults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"ignores requisite: always the first segment": asking(func(r *csi.CreateVolumeRequest) {
			if r.AccessibilityRequirements != nil {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{zone("Z2")}}
			}
		}),
		"ignores preferred": asking(func(r *csi.CreateVolumeRequest) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) > 0 {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: requisite}
			} else {
				r.AccessibilityRequirements = nil
			}
		}),
		"ignores the order of preferred": asking(func(r *csi.CreateVolumeRequest) {
			slices.SortFunc(r.GetAccessibilityRequirements().GetPreferred(), byZone)
		}),
		"uses preferred that is not in requisite": asking(func(r *csi.CreateVolumeRequest) {
			required := r.GetAccessibilityRequirements()
			for _, preferred := range required.GetPreferred() {
				if len(required.GetRequisite()) > 0 && !contains(required.GetRequisite(), preferred) {
					required.Requisite = []*csi.Topology{preferred}
					required.Preferred = nil
				}
			}
		}),
		"never falls back from preferred": asking(func(r *csi.CreateVolumeRequest) {
			required := r.GetAccessibilityRequirements()
			outside := slices.ContainsFunc(required.GetPreferred(), func(p *csi.Topology) bool { return !contains(required.GetRequisite(), p) })
			if valid := len(required.GetRequisite()) == 0 || !outside; valid && len(required.GetPreferred()) > 0 {
				required.Requisite = required.GetPreferred()
			}
		}),
		"places outside requisite when it is full": whenFull(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest, _ error) (*csi.CreateVolumeResponse, error) {
			r.AccessibilityRequirements = nil
			return right.CreateVolume(ctx, r)
		}),
		"x < n: answers with all n": answering(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(v.GetAccessibleTopology()) < len(requisite) {
				v.AccessibleTopology = requisite
			}
		}),
		"x > n: answers with n only": answering(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) > 0 && len(v.GetAccessibleTopology()) > len(requisite) {
				v.AccessibleTopology = requisite
			}
		}),
		"x > n: refuses": mutation.RefusingSome(codes.InvalidArgument, "want two zones, found one", func(r *csi.CreateVolumeRequest) bool {
			return r.GetParameters()["zones"] == "2" && len(r.GetAccessibilityRequirements().GetRequisite()) == 1
		}),
		"answers with the same segment twice": answering(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
			if len(v.GetAccessibleTopology()) > 1 {
				v.AccessibleTopology[1] = v.GetAccessibleTopology()[0]
			}
		}),
		"answers without accessible_topology": answering(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
			v.AccessibleTopology = nil
		}),
		"adds a key that no node reports": answering(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
			for _, topology := range v.GetAccessibleTopology() {
				topology.Segments["topology.hostpath.topo.csi/rack"] = "1"
			}
		}),
		"answers with a key in another letter case": answering(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
			for _, topology := range v.GetAccessibleTopology() {
				topology.Segments[strings.ToUpper(zoneKey)] = zoneOf(topology)
				delete(topology.Segments, zoneKey)
			}
		}),
		"takes an empty requirement for an internal error": mutation.RefusingSome(codes.Internal, "index out of range [0] with length 0", func(r *csi.CreateVolumeRequest) bool {
			return r.AccessibilityRequirements != nil && proto.Size(r.GetAccessibilityRequirements()) == 0
		}),
		"INTERNAL when full": saying(func(exhausted *status.Status) error {
			return status.Error(codes.Internal, exhausted.Message())
		}),
		"makes volumes up when full":                               makesUp(1),
		"makes volumes up when all of several topologies are full": makesUp(2),
		"no message when full": saying(func(exhausted *status.Status) error {
			return status.Error(exhausted.Code(), "")
		}),
		"status details when full": saying(func(exhausted *status.Status) error {
			detailed, err := exhausted.WithDetails(&emptypb.Empty{})
			if err != nil {
				panic(err)
			}
			return detailed.Err()
		}),
		"a failed call leaves space taken": whenFull(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest, exhausted error) (*csi.CreateVolumeResponse, error) {
			left := proto.CloneOf(r)
			left.Name += "-left"
			left.AccessibilityRequirements = nil
			if _, err := right.CreateVolume(ctx, left); err != nil && status.Code(err) != codes.ResourceExhausted {
				return nil, err
			}
			return nil, exhausted
		}),
		"never answers without a requirement": mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			if r.GetAccessibilityRequirements() == nil {
				<-ctx.Done()
			}
			return right.CreateVolume(ctx, r)
		}),
		"a failed call keeps its name": keepsTheName(),
		"a repeated name answers with another segment": repeating(func(v *csi.Volume) {
			v.AccessibleTopology = []*csi.Topology{zone("Z3")}
		}),
		"a repeated name answers with another volume_id": repeating(func(v *csi.Volume) {
			v.VolumeId += "-again"
		}),
		"a repeated name returns its volume, whatever the request": mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			response, err := right.CreateVolume(ctx, r)
			if status.Code(err) == codes.AlreadyExists {
				r.AccessibilityRequirements = nil
				return right.CreateVolume(ctx, r)
			}
			return response, err
		}),
		"says that a volume is deleted, and keeps it": keepsVolumes(),
	}
}

// repeating makes a driver that changes its answer when it gets a name again.
func repeating(change func(*csi.Volume)) mutation.Fault {
	var mu sync.Mutex
	seen := map[string]bool{}
	return answering(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
		mu.Lock()
		defer mu.Unlock()
		if seen[r.GetName()] {
			change(v)
		}
		seen[r.GetName()] = true
	})
}

// keepsTheName makes a driver that remembers the requirement of a name for which it could make nothing.
func keepsTheName() mutation.Fault {
	var mu sync.Mutex
	refused, made := map[string]bool{}, map[string]bool{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
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

// keepsVolumes makes a driver that keeps what it should delete, but for volumes so large that they fill a segment.
func keepsVolumes() mutation.Fault {
	const large = 100 << 20
	var mu sync.Mutex
	kept := map[string]bool{}
	asked := answering(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
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

// makesUp is a driver that answers with a volume that it has not made, where there is no room for one in requisite, which has as
// many topologies or more.
func makesUp(least int) mutation.Fault {
	return mutation.Ending(func(r *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) (*csi.CreateVolumeResponse, error) {
		topologies := r.GetAccessibilityRequirements().GetRequisite()
		if status.Code(err) != codes.ResourceExhausted || len(topologies) < least {
			return response, err
		}
		count := 1
		if r.GetParameters()["zones"] == "2" {
			count = 2
		}
		return &csi.CreateVolumeResponse{Volume: &csi.Volume{
			VolumeId:           "made-up-" + r.GetName(),
			CapacityBytes:      r.GetCapacityRange().GetRequiredBytes(),
			AccessibleTopology: topologies[:min(count, len(topologies))],
		}}, nil
	})
}
