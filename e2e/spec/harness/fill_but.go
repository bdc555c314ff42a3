package harness

import (
	"context"
	"fmt"

	"github.com/onsi/ginkgo/v2"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// FillBut takes the segment's room away by volumes until no more than so many bytes are left, and returns how many are.
// It is less than asked for where the driver rounds sizes up. A case that uses it needs ExactCapacity, and room for two
// volumes of its size besides what is to be left. The room is given back after the case.
func (d *Driver) FillBut(ctx context.Context, left int64, segment model.Segment) int64 {
	ginkgo.GinkgoHelper()
	ginkgo.By(fmt.Sprintf("filling %s but for %d bytes", segment, left))
	const most = 1000
	for range most {
		now := d.room(ctx, segment)
		if now.available <= left {
			d.setRoom(segment, now.largest)
			return now.available
		}
		now.largest, now.exact = min(now.largest, now.available-left), true
		d.fillOnce(ctx, segment, now)
	}
	verdict.CouldNotTell("%s was to be filled but for %d bytes, and still has more room after %d volumes", segment, left, most)
	return 0
}
