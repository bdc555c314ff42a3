// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"
	"math"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongOfSizes returns drivers that handle capacity_range wrongly.
func wrongOfSizes() map[string]mutation.Expectation {
	const mebibyte = 1 << 20
	return map[string]mutation.Expectation{
		"rounds sizes down": mutation.Wrong(
			mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) { v.CapacityBytes -= v.GetCapacityBytes() % mebibyte }),
			mutation.Fails("size_at_least_required size_exact", "CR-03")).Seen("csi-digitalocean 0711283d"),
		"makes volumes larger than limit_bytes": mutation.Wide(mutation.Asking(func(r *creation) {
			if limit := r.GetCapacityRange().GetLimitBytes(); limit > 0 {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: 2 * limit}
			}
		}), mutation.Fails("size_exact size_limit_only size_of_block", "CR-05"),
			mutation.Fails("size_limit_below_required", "CR-05")).Seen("cinder-csi-plugin c453fb7c9"),
		"answers the size asked for, and makes another": mutation.Wrong(
			mutation.On(func(ctx context.Context, driver right, r *creation) (*created, error) {
				asked := r.GetCapacityRange().GetRequiredBytes()
				if exact := r.GetCapacityRange(); exact != nil && exact.GetLimitBytes() == 0 && asked < math.MaxInt64 {
					exact.RequiredBytes -= asked % mebibyte
				}
				response, err := driver.CreateVolume(ctx, r)
				if err == nil {
					response.Volume.CapacityBytes = max(asked, response.GetVolume().GetCapacityBytes())
				}
				return response, err
			}), mutation.Fails("size_at_least_required", "CR-03")),
		"rounds past limit_bytes": mutation.Wrong(mutation.Asking(func(r *creation) {
			if exact := r.GetCapacityRange(); exact.GetRequiredBytes()%mebibyte != 0 && exact.GetRequiredBytes() == exact.GetLimitBytes() {
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: exact.GetRequiredBytes() + mebibyte - exact.GetRequiredBytes()%mebibyte}
			}
		}), mutation.Fails("size_exact", "CR-05")),
		"does not make a volume of an exact size": mutation.Wrong(
			mutation.RefusingSome(codes.OutOfRange, unable, func(r *creation) bool {
				return r.GetCapacityRange().GetLimitBytes() > 0 && r.GetCapacityRange().GetLimitBytes() == r.GetCapacityRange().GetRequiredBytes()
			}), mutation.Warns("size_exact", "CR-03")),
		"wants required_bytes": mutation.Wide(mutation.RefusingSome(codes.InvalidArgument, unable, func(r *creation) bool {
			return r.GetCapacityRange().GetLimitBytes() > 0 && r.GetCapacityRange().GetRequiredBytes() == 0
		}), mutation.Fails("size_limit_only", "CREATE-11")),
		"wants a capacity_range": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, unable, func(r *creation) bool { return r.GetCapacityRange() == nil }),
			mutation.Warns("size_omitted", "CV-10")),
		"fails without a capacity_range": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, unable, func(r *creation) bool { return r.GetCapacityRange() == nil }),
			mutation.Warns("size_omitted", "CV-10")),
		"takes an empty capacity_range for none": mutation.Wrong(mutation.Asking(func(r *creation) {
			if r.GetCapacityRange().GetRequiredBytes() == 0 && r.GetCapacityRange().GetLimitBytes() == 0 {
				r.CapacityRange = nil
			}
		}), mutation.Warns("size_empty_range", "CR-02")),
		"takes a negative size for none": mutation.Wrong(mutation.Asking(func(r *creation) {
			if r.GetCapacityRange().GetRequiredBytes() < 0 || r.GetCapacityRange().GetLimitBytes() < 0 {
				r.CapacityRange = nil
			}
		}), mutation.Warns("size_negative_required", "CR-04"), mutation.Warns("size_negative_limit", "CR-06")),
		"compares sizes as texts": mutation.Wrong(
			mutation.InsteadOf(codes.InvalidArgument, func(ctx context.Context, driver right, r *creation, refusal error) (*created, error) {
				asked := r.GetCapacityRange()
				if asked.GetLimitBytes() <= 0 || asked.GetRequiredBytes() <= 0 || fmt.Sprint(asked.GetRequiredBytes()) > fmt.Sprint(asked.GetLimitBytes()) {
					return nil, refusal
				}
				asked.LimitBytes = 0
				return driver.CreateVolume(ctx, r)
			}), mutation.Fails("size_limit_below_required", "CR-05")).Seen("democratic-csi 8a4a28a"),
		"compares sizes as texts, and refuses a limit of more digits": mutation.Wrong(
			mutation.RefusingSome(codes.OutOfRange, unable, func(r *creation) bool {
				asked := r.GetCapacityRange()
				return asked.GetLimitBytes() > asked.GetRequiredBytes() && fmt.Sprint(asked.GetRequiredBytes()) > fmt.Sprint(asked.GetLimitBytes())
			}), mutation.Fails("size_at_least_required", "CREATE-11")),
		"fails at a negative size": mutation.Wrong(mutation.RefusingSome(codes.Internal, unable, func(r *creation) bool {
			return r.GetCapacityRange().GetRequiredBytes() < 0 || r.GetCapacityRange().GetLimitBytes() < 0
		}), mutation.Warns("size_negative_required size_negative_limit", "GEN-12")),
		"overflows when it rounds up": mutation.Wrong(mutation.Asking(func(r *creation) {
			if r.GetCapacityRange().GetRequiredBytes() == math.MaxInt64 {
				r.CapacityRange.RequiredBytes = mebibyte
			}
		}), mutation.Fails("size_too_large", "CR-03")).Seen("topolvm 83e3dcee"),
		"answers a size that it cannot have without a status": mutation.Wrong(
			tooLarge(func(context.Context, right, *creation, error) error { return status.Error(codes.Unknown, "no room") }),
			mutation.Fails("size_too_large", "CREATE-11")),
		"says nothing of a size that it cannot have": mutation.Wrong(
			tooLarge(func(context.Context, right, *creation, error) error { return status.Error(codes.OutOfRange, "") }),
			mutation.Fails("size_too_large", "GEN-15")),
		"keeps what it created before it ran out of room": mutation.Wrong(
			tooLarge(func(ctx context.Context, driver right, r *creation, refusal error) error {
				r.CapacityRange.RequiredBytes = mebibyte
				if _, err := driver.CreateVolume(ctx, r); err != nil {
					return err
				}
				return refusal
			}), mutation.Warns("size_too_large", "CV-07")),
		"keeps a part of a block device to itself": mutation.Wrong(
			mutation.Ending(func(_ *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse, err error) (*csi.NodeGetVolumeStatsResponse, error) {
				for _, usage := range response.GetUsage() {
					usage.Total -= mebibyte
				}
				return response, err
			}), mutation.Warns("size_of_block", "CV-06")),
	}
}

// tooLarge makes a driver that refuses the largest size with another error.
func tooLarge(refuse func(ctx context.Context, driver right, r *creation, refusal error) error) mutation.Fault {
	return mutation.InsteadOf(codes.OutOfRange, func(ctx context.Context, driver right, r *creation, refusal error) (*created, error) {
		return nil, refuse(ctx, driver, r, refusal)
	})
}
