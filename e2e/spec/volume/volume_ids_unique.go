package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume_id identifies one volume among all that the plugin has: in every segment, and of one segment too.
func volumeIDsUnique(s *harness.Suite) {
	labels := verdict.Case("volume_ids_unique", "VOL-04")
	needs := harness.Needs{Volumes: 2}
	s.Case("gives every volume an id of its own", labels, needs, func(ctx context.Context, under *harness.Driver) {
		requests := []*csi.CreateVolumeRequest{creation(under)}
		for _, segment := range under.Segments() {
			requests = append(requests, under.CreateVolumeRequest(under.Volume(1).Within(segment)))
		}
		requests = append(requests, creation(under))

		names := map[string]string{}
		for _, request := range requests {
			id := made(ctx, under, request).GetVolumeId()
			gomega.Expect(names).NotTo(gomega.HaveKey(id), "volume %q has the volume_id of another one; a volume_id is unique (VOL-04)", request.GetName())
			names[id] = request.GetName()
		}
	})
}
