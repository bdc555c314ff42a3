package volume

import (
	"context"
	"strings"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name may have 128 bytes. What the driver makes of it may have no more either.
func nameLongest(s *harness.Suite) {
	labels := verdict.Case("name_longest", "GEN-04")
	needs := harness.Needs{Volumes: 1}
	s.Case("takes a name of 128 bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.Name = nameOf(under, longest)
		response, err := under.Controller.CreateVolume(ctx, request)

		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "any name of up to 128 bytes is allowed (GEN-04)")
		gomega.Expect(len(response.GetVolume().GetVolumeId())).To(gomega.BeNumerically("<=", longest), "volume_id has 128 bytes at most (GEN-04)")
	})
}

// longest is how many bytes a string may have.
const longest = 128

// nameOf is a new name of so many bytes.
func nameOf(under *harness.Driver, bytes int) string {
	name := under.Name()
	return name + strings.Repeat("n", max(0, bytes-len(name)))
}
