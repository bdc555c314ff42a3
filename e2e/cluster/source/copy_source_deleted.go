package source

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/judge"
)

// What a volume was created with may go: the volume keeps its data. A driver that still needs the source refuses to delete
// it, and then both are there.
func copySourceDeleted() []harness.Case {
	var cases []harness.Case
	for _, k := range kinds() {
		cases = append(cases, harness.Case{
			ID:           "copy_source_deleted_" + k.id,
			Text:         k.does + " that keeps its data when what it was created with is deleted",
			Requirements: []string{"VS-02", k.inUse, k.behaviour},
			Needs:        k.inZones(1),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zone := s.Zones(1)[0]
				class := s.CreateClass(ctx, workload.WaitForFirstConsumer())
				original := written(ctx, s, class, zone, s.Namespace)
				volume := s.VolumeOf(ctx, original)
				claim, pod := copyOf(ctx, s, class, k.take(ctx, s, original), zone)
				s.MustRunIn(ctx, pod, zone)
				putDown(ctx, s, pod, claim)

				s.Need(s.Resources().Delete(ctx, original), "deleting claim %s", original.Name)

				judge.Evidence(ctx, "deleted", s.MayGo(ctx, volume))
				again := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
				s.MustRunIn(ctx, again, zone)
				s.MustRead(ctx, again, s.Namespace)
			},
		})
	}
	return cases
}
