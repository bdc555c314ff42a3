package source_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

const size = 16 << 20

// faults are drivers that are wrong in one way each, in how they make a volume from another one or from a snapshot.
var faults = map[string]spectest.Fault{
	"makes nothing from a source": copying(func(context.Context, spectest.Right, *createRequest) (*createResponse, error) {
		return nil, status.Error(codes.InvalidArgument, "volume_content_source is not supported")
	}),
	"does not say what a volume is made from": answering(func(_ *createRequest, v *csi.Volume) { v.ContentSource = nil }),
	"answers with the source itself": answering(func(r *createRequest, v *csi.Volume) {
		if id := r.GetVolumeContentSource().GetVolume().GetVolumeId(); id != "" {
			v.VolumeId = id
		}
	}),
	"is where the source is, whatever is asked": whenRefused(codes.ResourceExhausted, func(ctx context.Context, right spectest.Right, r *createRequest, _ error) (*createResponse, error) {
		r.AccessibilityRequirements = nil
		return right.CreateVolume(ctx, r)
	}),
	"looks at the first of requisite only": asking(func(r *createRequest) {
		if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) > 0 {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: requisite[:1]}
		}
	}),
	"does not fall back from preferred": asking(func(r *createRequest) {
		if preferred := r.GetAccessibilityRequirements().GetPreferred(); len(preferred) > 0 {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: preferred[:1]}
		}
	}),
	"INTERNAL without room":         whenRefused(codes.ResourceExhausted, saying(codes.Internal)),
	"INVALID_ARGUMENT without room": whenRefused(codes.ResourceExhausted, saying(codes.InvalidArgument)),
	"no message with a refusal": copying(func(ctx context.Context, right spectest.Right, r *createRequest) (*createResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if err != nil {
			return nil, status.Error(status.Code(err), "")
		}
		return response, nil
	}),
	"a refused copy leaves a volume": leaving(),
	"an unknown source is an empty volume": whenRefused(codes.NotFound,
		withoutSource),
	"INTERNAL for an unknown source":                      whenRefused(codes.NotFound, saying(codes.Internal)),
	"a source that is too large is cut off":               whenRefused(codes.OutOfRange, withoutSource),
	"a source that is too large is INVALID":               whenRefused(codes.OutOfRange, saying(codes.InvalidArgument)),
	"says that a copy is smaller than its source":         saysSmaller(),
	"a copy is as large as its source, whatever is asked": answering(func(_ *createRequest, v *csi.Volume) { v.CapacityBytes = size }),
	"a larger copy is refused":                            refusingLarger(codes.OutOfRange),
	"a larger copy is INTERNAL":                           refusingLarger(codes.Internal),
	"a larger copy has the old file system":               oldFileSystem(),
	"a repeated copy is ALREADY_EXISTS":                   refusingRepeats(),
	"a repeated copy is another volume":                   anotherOnRepeat(),
	"a name has its volume, whatever the source":          remembering(),
	"a copy is counted twice":                             counting(func(bytes int64) int64 { return -bytes }),
	"does not say how large a copy is":                    answering(func(_ *createRequest, v *csi.Volume) { v.CapacityBytes = 0 }),
	"a copy is not counted":                               counting(func(bytes int64) int64 { return bytes }),
	"copies go with their source":                         goingWithSource(),
	"a source that was copied cannot be deleted":          keepingSources(codes.FailedPrecondition),
	"INTERNAL for a source that was copied":               keepingSources(codes.Internal),
	"OK to an empty source":                               whenRefused(codes.InvalidArgument, withoutSource),
	"INTERNAL to an empty source":                         whenRefused(codes.InvalidArgument, saying(codes.Internal)),
}
