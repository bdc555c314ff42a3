// SPDX-License-Identifier: Apache-2.0

package creation_test

import (
	"context"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// neighbour is a case that takes all room of Z2 during each call that prefers two topologies, and returns it afterwards.
type neighbour struct {
	began  chan struct{}
	orders chan func(ctx context.Context, d *harness.Driver)
	made   []*csi.Volume
}

func (n *neighbour) run(ctx context.Context, d *harness.Driver) {
	close(n.began)
	for order := range n.orders {
		order(ctx, d)
	}
}

func (n *neighbour) fill(ctx context.Context, d *harness.Driver) {
	for {
		got := creation.Create(ctx, d, d.Volume(1).Within(d.Z2))
		if got.Code != codes.OK {
			return
		}
		n.made = append(n.made, got.Volume)
	}
}

func (n *neighbour) empty(ctx context.Context, d *harness.Driver) {
	for _, volume := range n.made {
		deletion.Need(ctx, d, volume)
	}
	n.made = nil
}

// asked waits until the neighbour has carried out the order, unless it cannot because its calls wait.
func (n *neighbour) asked(order func(context.Context, *harness.Driver)) {
	const brief = time.Second
	limit, done := time.After(brief), make(chan struct{})
	select {
	case n.orders <- func(ctx context.Context, d *harness.Driver) { defer close(done); order(ctx, d) }:
	case <-limit:
		return
	}
	select {
	case <-done:
	case <-limit:
	}
}

// TestRoomThatAnotherCaseTakesIsNotTheDriversFault checks that a refusal is judged only by room that no other case can take,
// if the driver does not report room.
func TestRoomThatAnotherCaseTakesIsNotTheDriversFault(t *testing.T) {
	const few = 12 // volumes that fit in a segment
	n := &neighbour{began: make(chan struct{}), orders: make(chan func(context.Context, *harness.Driver))}
	disturbed := mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		if len(r.GetAccessibilityRequirements().GetPreferred()) == 2 {
			n.asked(n.fill)
			defer n.asked(n.empty)
		}
		return right.CreateVolume(ctx, r)
	})
	area := harness.Area{Name: "room", Cases: []harness.Case{
		{ID: "neighbour", Text: "takes room", Run: n.run},
		{ID: "asks", Text: "asks for a volume in Z2", Run: func(ctx context.Context, d *harness.Driver) {
			defer close(n.orders)
			<-n.began
			asked := d.Volume(1).Within(d.Z2, d.Z3).Preferring(d.Z2, d.Z3)
			creation.ExpectAllowedWithRoom(ctx, d, asked, creation.CreateExactly(ctx, d, asked))
		}},
	}}
	report := spectest.Run(t, []harness.Area{area}, mutation.Driver{
		Fault:   disturbed.Over(mutation.Lacking(csi.ControllerServiceCapability_RPC_GET_CAPACITY)),
		Options: func(o *embedded.Options) { o.BytesPerSegment = few << 24 },
		Target:  func(t *harness.Target) { t.Parallel, t.Profile.Exclusive = 2, false },
	})
	for _, c := range report.Cases {
		if c.Verdict != suite.Passed && c.Verdict != suite.Skipped { // a slow neighbour still has the room
			t.Errorf("%s ends as %s: %s", c.ID, c.Verdict, c.Message)
		}
	}
}
