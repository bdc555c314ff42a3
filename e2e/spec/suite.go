package spec

import (
	"context"

	"github.com/onsi/ginkgo/v2"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// suite declares cases for one target.
type suite struct {
	target *Target
}

// Case declares one case. Around its body, the driver is asked who it is; afterwards every volume that the body made is
// deleted, and the driver's volumes and capacity must be what they were.
func (s *suite) Case(text string, labels ginkgo.Labels, body func(ctx context.Context, under *driver)) {
	ginkgo.It(text, labels, ginkgo.Offset(1), func(ctx ginkgo.SpecContext) {
		calls := &trace{}
		ginkgo.DeferCleanup(func() { verdict.Evidence("calls", calls.all()) })
		under := discover(ctx, s.target, calls)
		ginkgo.DeferCleanup(under.giveBack)
		before := under.mustState(ctx)

		body(ctx, under)

		under.giveBack(ctx)
		if leaked := under.changedSince(ctx, before); len(leaked) > 0 {
			ginkgo.Fail("the case leaked: all its volumes are deleted, and yet the driver is not as it was before (CV-07):\n" + list(leaked))
		}
	})
}
