// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// FillBut takes the segment's room away by volumes until no more than so many bytes are left, and returns how many are.
// It is less than asked for where the driver rounds sizes up. A case that uses it needs ExactCapacity, and room for two
// volumes of its size besides what is to be left. The room is given back after the case.
func (d *Driver) FillBut(ctx context.Context, left int64, segment model.Segment) int64 {
	for range d.Profile().Filling().Volumes {
		now := d.room(ctx, segment)
		if now.available <= left {
			d.world = d.world.With(segment, d.roomIn(now))
			return now.available
		}
		if made := d.fillBy(ctx, segment, min(now.largest, now.available-left)); made == 0 {
			suite.CouldNotTell("%s was to be filled but for %d bytes, and refuses volumes though it has %d bytes available", segment, left, now.available)
		}
	}
	suite.CouldNotTell("%s was to be filled but for %d bytes, and still has more room after many volumes", segment, left)
	return 0
}
