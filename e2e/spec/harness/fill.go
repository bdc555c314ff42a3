package harness

import (
	"context"
	"fmt"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Fill takes the room of the segments away, until a volume of the case's size does not fit there any more: by the
// profile's hook if it has one, else by volumes. The room is given back after the case.
func (d *Driver) Fill(ctx context.Context, segments ...model.Segment) {
	ginkgo.GinkgoHelper()
	for _, segment := range segments {
		ginkgo.By(fmt.Sprintf("filling %s", segment))
		if d.target.Exhaust != nil {
			d.exhaust(ctx, segment)
		} else {
			d.fill(ctx, segment)
		}
		d.setRoom(segment, 0)
	}
}

func (d *Driver) exhaust(ctx context.Context, segment model.Segment) {
	hook := d.target.Exhaust
	d.ledger.enter("exhaustion of "+segment.String(), func(ctx context.Context) error {
		return hook.GiveBack(ctx, segment)
	})
	d.changes.Add(1)
	if err := hook.Exhaust(ctx, segment); err != nil {
		verdict.CouldNotTell("the profile's hook was to exhaust %s, and failed: %v", segment, err)
	}
}

func (d *Driver) fill(ctx context.Context, segment model.Segment) {
	ginkgo.GinkgoHelper()
	// Each volume takes all the room there is, unless a largest size forbids it.
	const most = 1000
	for range most {
		room := d.room(ctx, segment)
		if room.largest < d.Size() {
			return
		}
		if full := d.fillOnce(ctx, segment, room); full {
			return
		}
	}
	verdict.CouldNotTell("%s was to be filled, and still has room after %d volumes", segment, most)
}

// fillOnce makes one volume, as large as the driver allows, in the segment. Where the room is not exact, a driver that
// refuses even the case's size is full.
func (d *Driver) fillOnce(ctx context.Context, segment model.Segment, room room) (full bool) {
	ginkgo.GinkgoHelper()
	for size := room.largest; ; size = max(size/2, d.Size()) {
		asked := d.Volume(1).Within(segment).OfBytes(size)
		request := d.CreateVolumeRequest(asked)
		response, err := d.Controller.CreateVolume(ctx, request)
		answer := answerOf(request, response, err)
		refused := answer.Code == codes.ResourceExhausted || answer.Code == codes.OutOfRange
		if refused && size > d.Size() {
			continue
		}
		if refused && !room.exact {
			return true
		}
		gomega.Expect(answer).To(BeAllowedBy(model.AnswersTo(asked, d.World())))
		return false
	}
}

// setRoom makes the world say how many bytes fit in the segment.
func (d *Driver) setRoom(segment model.Segment, bytes int64) {
	for i := range d.world {
		if d.world[i].Segment.Equal(segment) {
			d.world[i].Room = bytes
		}
	}
}

// FilledByVolumes reports whether volumes may take the room of segments away: where the profile has a hook for that, they
// had better not.
func (d *Driver) FilledByVolumes() bool {
	return d.measured() && d.target.Exhaust == nil
}
