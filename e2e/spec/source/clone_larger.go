package source

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume larger than its source has the size that was asked for, or is OUT_OF_RANGE.
func cloneLarger(s *harness.Suite) {
	labels := verdict.Case("clone_larger", "CV-05", "CV-11", "CR-03", "CVE-11", "GEN-15", "GEN-16")
	needs := clones()
	s.Case("clones a volume that is larger than its source, or refuses to", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		larger := under.Volume(1).OfBytes(under.GrownSize())

		got := under.CreateVolumeFrom(ctx, harness.FromVolume(volume.GetVolumeId()), larger)

		judgeLarger(got, larger)
	})
}
