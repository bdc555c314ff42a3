package volume

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// One parameter that the driver does not have spoils the call: the others are not applied either.
func modifyUnsupported(s *harness.Suite) {
	labels := verdict.Case("modify_unsupported", "MV-04", "GEN-12", "GEN-15", "GEN-16")
	s.Case("refuses a mutable parameter that it does not have, and changes nothing", labels, mutableNeeds(), func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under, creation(under))
		before, _ := isMutated(ctx, under, volume)

		request := modification(under, volume)
		request.MutableParameters["csi-topo-no-such-parameter"] = "1"
		_, err := under.Controller.ControllerModifyVolume(ctx, request)

		gomega.Expect(err).To(harness.BeRefused("a mutable parameter that is not supported is INVALID_ARGUMENT (MV-04)", codes.InvalidArgument))
		after, _ := isMutated(ctx, under, volume)
		gomega.Expect(after).To(gomega.Equal(before), "a call with a parameter that is not supported modifies nothing (MV-04)")
	})
}
