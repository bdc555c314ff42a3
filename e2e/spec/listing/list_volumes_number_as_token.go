package listing

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A driver whose tokens are numbers may take one for its own, others say ABORTED. It answers in any case, and goes on
// to answer: a number out of range has ended the process of a driver.
func listVolumesNumberAsToken(s *harness.Suite) {
	labels := verdict.Case("list_volumes_number_as_token", "LV-17", "GEN-08", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("answers a number for a starting_token, and still answers afterwards", labels, needs, func(ctx context.Context, under *harness.Driver) {
		newVolumes(ctx, under, 1)
		for _, token := range []string{"0", "1", "-1", "4294967296"} {
			if _, err := list(harness.Tolerant(ctx), under, 1, token); err != nil {
				gomega.Expect(err).To(harness.BeRefused(fmt.Sprintf("starting_token %q is valid, or ABORTED (LV-17)", token), codes.Aborted))
			}
			_, err := list(harness.Tolerant(ctx), under, 1, "")
			gomega.Expect(err).To(harness.BeOK(fmt.Sprintf("after starting_token %q the driver is there as before", token)))
		}
	})
}
