package capacity

import (
	"context"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The capacity for volumes with given parameters is what can be used for such volumes: a volume that is then made must
// have fitted into it.
func capacityForEachKind(s *harness.Suite) {
	labels := verdict.Case("capacity_for_each_kind", "CAP-04", "CAP-11", "CAP-15")
	needs := harness.Needs{Volumes: 2, TrackedCapacity: true}
	s.Case("tells room for every kind of volume that can be made", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, x := range kinds(under) {
			told := tell(ctx, under, requestFor(under, x, under.Z2))
			harness.Need(under.Controller.CreateVolume(ctx, under.CreateVolumeRequest(in(under.Volume(x), under.Z2))))

			expectRoomFor(told, under.Size(), fmt.Sprintf("the parameters of a volume that was made, accessible from %d topologies (CAP-04)", x))
		}
	})
}
