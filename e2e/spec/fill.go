package spec

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Fill makes volumes in each of the segments until a volume of the case's size does not fit there any more. They are
// deleted after the case.
func (d *driver) Fill(ctx context.Context, segments ...model.Segment) {
	ginkgo.GinkgoHelper()
	d.need(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	for _, segment := range segments {
		ginkgo.By(fmt.Sprintf("filling %s", segment))
		d.fill(ctx, segment)
		d.noRoomIn(segment)
	}
}

func (d *driver) fill(ctx context.Context, segment model.Segment) {
	ginkgo.GinkgoHelper()
	// Each volume takes all the room there is, unless a largest size forbids it.
	const most = 1000
	for range most {
		room, exact := d.room(ctx, segment)
		if room < d.size() {
			return
		}
		if full := d.fillOnce(ctx, segment, room, exact); full {
			return
		}
	}
	verdict.CouldNotTell("%s was to be filled, and still has room after %d volumes", segment, most)
}

// fillOnce makes one volume, as large as the driver allows, in the segment. Where the room is not exact, a driver that
// refuses even the case's size is full.
func (d *driver) fillOnce(ctx context.Context, segment model.Segment, room int64, exact bool) (full bool) {
	ginkgo.GinkgoHelper()
	for size := room; ; size = max(size/2, d.size()) {
		asked := d.Volume(accessibleFrom(1), requisite(segment), bytes(size))
		answer := d.CreateVolume(ctx, asked)
		refused := answer.Code == codes.ResourceExhausted || answer.Code == codes.OutOfRange
		if refused && size > d.size() {
			continue
		}
		if refused && !exact {
			return true
		}
		gomega.Expect(answer).To(BeAllowedBy(model.AnswersTo(asked, d.World())))
		return false
	}
}

// noRoomIn makes the world say that nothing fits in the segment.
func (d *driver) noRoomIn(segment model.Segment) {
	for i := range d.world {
		if d.world[i].Segment.Equal(segment) {
			d.world[i].Room = 0
		}
	}
}
