package volume_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

const readerOnly = csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY

// wrongOfCapabilities are drivers that take volume_capabilities lightly.
func wrongOfCapabilities() map[string]spectest.Expectation {
	return map[string]spectest.Expectation{
		"has one capability of several": wrong(
			unconfirming(func(r *question) bool { return len(r.GetVolumeCapabilities()) > 1 }),
			spectest.Fails("capabilities_all_held", "a volume satisfies all of volume_capabilities (CV-12)")),
		"takes a mode that it does not have": wrong(
			unconfirming(func(r *question) bool { return hasMode(r.GetVolumeCapabilities(), readerOnly) }),
			spectest.Fails("capabilities_all_held capabilities_each_mode", "a volume satisfies all of volume_capabilities (CV-12)")),
		"publishes to writers only": wrong(
			spectest.On(func(ctx context.Context, driver right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
				if r.GetVolumeCapability().GetAccessMode().GetMode() == readerOnly {
					return nil, status.Error(codes.FailedPrecondition, "this driver has writers only")
				}
				return driver.ControllerPublishVolume(ctx, r)
			}),
			spectest.Fails("capabilities_any_used", "a volume can be used with any of its volume_capabilities (CV-14), SINGLE_NODE_READER_ONLY among them")),
		"looks at the first capability only": wrong(
			asking(func(r *creation) { r.VolumeCapabilities = r.GetVolumeCapabilities()[:1] }),
			spectest.Fails("capabilities_one_unsupported", "any capability that is not supported fails the call (CV-16)")),
		"answers a mode that it does not have with INTERNAL": wrong(
			refusing(codes.Internal, func(r *creation) bool { return hasMode(r.GetVolumeCapabilities(), readerOnly) }),
			spectest.Fails("capabilities_all_held capabilities_each_mode", "its code is INTERNAL, not INVALID_ARGUMENT"),
			spectest.Errs("capabilities_any_used", "a call that the case needs failed")),
		"has no volumes of two modes": wrong(
			refusing(codes.InvalidArgument, func(r *creation) bool { return hasMode(r.GetVolumeCapabilities(), readerOnly) }),
			spectest.Passes("capabilities_all_held capabilities_each_mode", ""),
			spectest.Skips("capabilities_any_used", "the driver has no volumes for both SINGLE_NODE_WRITER and SINGLE_NODE_READER_ONLY")),
	}
}
