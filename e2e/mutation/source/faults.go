// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

const size = 16 << 20

// faults are drivers that are wrong in one way each, in how they make a volume from another one or from a snapshot.
func faults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"makes nothing from a source": copying(func(context.Context, mutation.Right, *createRequest) (*createResponse, error) {
			return nil, status.Error(codes.InvalidArgument, "volume_content_source is not supported")
		}),
		"a copy is empty": copying(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
			source := r.GetVolumeContentSource()
			r.VolumeContentSource = nil
			return sayingSource(source)(right.CreateVolume(ctx, r))
		}),
		"a larger copy is empty":                                    emptyWhenLarger(),
		"a copy has what was written to the one before it":          copyingCopies(),
		"what is written to a copy is in the volume it was made of": sharing(),
		"a snapshot is cut when its volume is deleted":              cuttingLate(),
		"a repeated call copies once more":                          copyingAgain(),
		"a repeated call takes the snapshot once more":              takingAgain(),
		"says what a volume is made from at first only":             forgettingSources(),
		"says no size of snapshots, and passes over limit_bytes":    beyondLimit(),
		"does not say what a volume is made from":                   answering(func(_ *createRequest, v *csi.Volume) { v.ContentSource = nil }),
		"answers with the source itself": answering(func(r *createRequest, v *csi.Volume) {
			if id := r.GetVolumeContentSource().GetVolume().GetVolumeId(); id != "" {
				v.VolumeId = id
			}
		}),
		"is where the source is, whatever the request": whenRefused(codes.ResourceExhausted, func(ctx context.Context, right mutation.Right, r *createRequest, _ error) (*createResponse, error) {
			r.AccessibilityRequirements = nil
			return right.CreateVolume(ctx, r)
		}),
		"looks at the first of requisite only": asking(func(r *createRequest) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) > 0 {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: requisite[:1]}
			}
		}),
		"looks at the first of preferred only": asking(func(r *createRequest) {
			if preferred := r.GetAccessibilityRequirements().GetPreferred(); len(preferred) > 0 {
				r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: preferred[:1]}
			}
		}),
		"INTERNAL without room":         whenRefused(codes.ResourceExhausted, saying(codes.Internal)),
		"INVALID_ARGUMENT without room": whenRefused(codes.ResourceExhausted, saying(codes.InvalidArgument)),
		"no message with a refusal": copying(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
			response, err := right.CreateVolume(ctx, r)
			if err != nil {
				return nil, status.Error(status.Code(err), "")
			}
			return response, nil
		}),
		"a refused copy leaves a volume":                  leaving(),
		"an unknown source is an empty volume":            whenRefused(codes.NotFound, withoutSource),
		"INTERNAL for an unknown source":                  whenRefused(codes.NotFound, saying(codes.Internal)),
		"a copy has room for a part of its source only":   whenRefused(codes.OutOfRange, withoutSource),
		"INVALID_ARGUMENT for a source that is too large": whenRefused(codes.OutOfRange, saying(codes.InvalidArgument)),
		"INTERNAL for a source that is too large":         whenRefused(codes.OutOfRange, saying(codes.Internal)),
		"a copy ignores limit_bytes":                      asking(func(r *createRequest) { r.CapacityRange.LimitBytes = 0 }),
		"a copy ignores limit_bytes, and does not say how large it is": asking(func(r *createRequest) { r.CapacityRange.LimitBytes = 0 }).
			Over(answering(func(_ *createRequest, v *csi.Volume) { v.CapacityBytes = 0 })),
		"a copy cannot have the size of its source": mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*csi.CreateVolumeResponse, error) {
			limit := r.GetCapacityRange().GetLimitBytes()
			if r.GetVolumeContentSource() != nil && limit > 0 && limit == r.GetCapacityRange().GetRequiredBytes() {
				return nil, status.Error(codes.OutOfRange, "a copy needs a reserve")
			}
			return right.CreateVolume(ctx, r)
		}),
		"a copy has half of required_bytes":                      answering(func(r *createRequest, v *csi.Volume) { v.CapacityBytes = r.GetCapacityRange().GetRequiredBytes() / 2 }),
		"says that a copy is as small as was asked for":          saysSmaller(),
		"a copy is as large as its source, whatever the request": answering(func(_ *createRequest, v *csi.Volume) { v.CapacityBytes = size }),
		"creates volumes in Z3 only":                             inZ3(),
		"a larger copy is refused":                               refusingLarger(codes.OutOfRange),
		"a larger copy is INTERNAL":                              refusingLarger(codes.Internal),
		"a larger copy has the old file system":                  oldFileSystem(),
		"a repeated copy is ALREADY_EXISTS":                      refusingRepeats(),
		"a repeated copy is another volume":                      anotherOnRepeat(),
		"a name has its volume, whatever the source":             remembering(),
		"a copy is counted twice":                                counting(func(bytes int64) int64 { return -bytes }),
		"does not say how large a copy is":                       answering(func(_ *createRequest, v *csi.Volume) { v.CapacityBytes = 0 }),
		"a copy is not counted":                                  counting(func(bytes int64) int64 { return bytes }),
		"lists no copies":                                        listingNoCopies(),
		"copies go with their source":                            goingWithSource(),
		"a source that was copied cannot be deleted":             keepingSources(codes.FailedPrecondition),
		"INTERNAL for a source that was copied":                  keepingSources(codes.Internal),
		"OK to an empty source":                                  whenRefused(codes.InvalidArgument, withoutSource),
		"INTERNAL to an empty source":                            whenRefused(codes.InvalidArgument, saying(codes.Internal)),
	}
}

// listingNoCopies makes a driver whose ListVolumes has only the volumes that were created empty.
func listingNoCopies() mutation.Fault {
	var copies sync.Map
	return answering(func(r *createRequest, v *csi.Volume) {
		if r.GetVolumeContentSource() != nil {
			copies.Store(v.GetVolumeId(), true)
		}
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		response, err := right.ListVolumes(ctx, r)
		if err == nil {
			response.Entries = slices.DeleteFunc(response.GetEntries(), func(e *csi.ListVolumesResponse_Entry) bool {
				_, isCopy := copies.Load(e.GetVolume().GetVolumeId())
				return isCopy
			})
		}
		return response, err
	}))
}

// inZ3 makes a driver that creates volumes in Z3, whatever the request.
func inZ3() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{
			{Segments: map[string]string{topology.RegionKey: "R1", topology.ZoneKey: "Z3"}},
		}}
		return right.CreateVolume(ctx, r)
	})
}
