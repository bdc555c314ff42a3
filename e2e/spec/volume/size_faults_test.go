package volume_test

import (
	"context"
	"math"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// wrongOfSizes are drivers that have their own mind about capacity_range.
func wrongOfSizes() map[string]spectest.Expectation {
	const mebibyte = 1 << 20
	return map[string]spectest.Expectation{
		"rounds sizes down": wrong(
			answering(func(_ *creation, v *csi.Volume) { v.CapacityBytes -= v.GetCapacityBytes() % mebibyte }),
			spectest.Fails("size_at_least_required", "capacity_bytes is required_bytes at least (CR-03)")),
		"makes volumes larger than limit_bytes": wide(
			asking(func(r *creation) {
				if limit := r.GetCapacityRange().GetLimitBytes(); limit > 0 {
					r.CapacityRange = &csi.CapacityRange{RequiredBytes: 2 * limit}
				}
			}),
			spectest.Fails("size_exact size_limit_only size_of_block", "capacity_bytes is limit_bytes at most (CR-05)"),
			spectest.Fails("size_limit_below_required", "the call was not refused")),
		"does not make a volume of an exact size": wrong(
			refusing(codes.OutOfRange, func(r *creation) bool {
				return r.GetCapacityRange().GetLimitBytes() > 0 && r.GetCapacityRange().GetLimitBytes() == r.GetCapacityRange().GetRequiredBytes()
			}),
			spectest.Warns("size_exact", "none can be had of exactly that size")),
		"wants required_bytes": wide(
			refusing(codes.InvalidArgument, func(r *creation) bool {
				return r.GetCapacityRange().GetLimitBytes() > 0 && r.GetCapacityRange().GetRequiredBytes() == 0
			}),
			spectest.Fails("size_limit_only", "limit_bytes alone is a capacity_range (CR-02)")),
		"wants a capacity_range": wrong(
			refusing(codes.InvalidArgument, func(r *creation) bool { return r.GetCapacityRange() == nil }),
			spectest.Warns("size_omitted", "capacity_range is OPTIONAL, and a volume without it is refused (CV-10)")),
		"fails without a capacity_range": wrong(
			refusing(codes.Internal, func(r *creation) bool { return r.GetCapacityRange() == nil }),
			spectest.Fails("size_omitted", "its code is INTERNAL")),
		"takes an empty capacity_range for none": wrong(
			asking(func(r *creation) {
				if r.GetCapacityRange().GetRequiredBytes() == 0 && r.GetCapacityRange().GetLimitBytes() == 0 {
					r.CapacityRange = nil
				}
			}),
			spectest.Warns("size_empty_range", "one with neither was taken for none")),
		"takes a negative size for none": wrong(
			asking(func(r *creation) {
				if r.GetCapacityRange().GetRequiredBytes() < 0 || r.GetCapacityRange().GetLimitBytes() < 0 {
					r.CapacityRange = nil
				}
			}),
			spectest.Fails("size_negative_required", "required_bytes is not negative (CR-04)"),
			spectest.Fails("size_negative_limit", "limit_bytes is not negative (CR-06)")),
		"overflows when it rounds up": wrong(
			asking(func(r *creation) {
				if r.GetCapacityRange().GetRequiredBytes() == math.MaxInt64 {
					r.CapacityRange.RequiredBytes = mebibyte
				}
			}),
			spectest.Fails("size_too_large", "the call was not refused")),
		"answers a size that it cannot have without a status": wrong(
			tooLarge(func(context.Context, right, *creation, error) error { return status.Error(codes.Unknown, "no room") }),
			spectest.Fails("size_too_large", "its code is UNKNOWN, not OUT_OF_RANGE or RESOURCE_EXHAUSTED")),
		"says nothing of a size that it cannot have": wrong(
			tooLarge(func(context.Context, right, *creation, error) error { return status.Error(codes.OutOfRange, "") }),
			spectest.Fails("size_too_large", "no message that a human could read (GEN-15)")),
		"keeps what it made before it found that there is no room": wrong(
			tooLarge(func(ctx context.Context, driver right, r *creation, refusal error) error {
				r.CapacityRange.RequiredBytes = mebibyte
				if _, err := driver.CreateVolume(ctx, r); err != nil {
					return err
				}
				return refusal
			}),
			spectest.Fails("size_too_large", "should have left nothing behind (CV-07)")),
		"keeps a part of a block device to itself": wrong(
			spectest.On(func(ctx context.Context, driver right, r *csi.NodeGetVolumeStatsRequest) (*csi.NodeGetVolumeStatsResponse, error) {
				response, err := driver.NodeGetVolumeStats(ctx, r)
				for _, usage := range response.GetUsage() {
					usage.Total -= mebibyte
				}
				return response, err
			}),
			spectest.Fails("size_of_block", "what the node has of a block device (CV-06) is required_bytes at least")),
	}
}

// tooLarge makes a driver that refuses the largest size in its own way.
func tooLarge(refuse func(ctx context.Context, driver right, r *creation, refusal error) error) spectest.Fault {
	return instead(codes.OutOfRange, func(ctx context.Context, driver right, r *creation, refusal error) (*created, error) {
		return nil, refuse(ctx, driver, r, refusal)
	})
}
