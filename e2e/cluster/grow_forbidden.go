package cluster

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A class that does not allow its volumes to grow makes the API server refuse the wish.
func growForbidden(t *suite) {
	t.it("refuses to grow a claim of a class that does not allow it",
		verdict.Case("grow_forbidden", "K8S-H1"),
		func(ctx context.Context, s *scenario) {
			claim := s.claim(ctx, s.class(ctx, workload.Immediate().NotExpandable()))
			s.mustBind(ctx, claim)

			wanted := s.target.VolumeSize.DeepCopy()
			wanted.Add(s.target.VolumeSize)
			err := s.grow(ctx, claim, wanted)

			verdict.Evidence("answer", err)
			if !apierrors.IsForbidden(err) {
				s.fail("growing claim %s: wanted Forbidden, found %v", claim.Name, err)
			}
		})
}
