package generated

import (
	"context"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// roomClause is what a GetCapacity contradicts that does not tell what there is.
const roomClause = "CAP-07"

// compareRoom holds what the driver says is available against what volumes took and gave back, after every step that
// could change it: in the segments that are asked for, and in those of the step's volume. A driver may take its time to
// show it.
func (s *sequence) compareRoom(ctx context.Context, o *outcome, v *volume) {
	for i, p := range s.room.places {
		if !s.room.counted || !s.room.compared || i >= asksFor && !v.segments.Contains(p.segment) {
			continue
		}
		available, largest, err := capacityOf(harness.Unrecorded(ctx), s.under, p.segment)
		if err == nil && available != p.available && !s.hasty {
			s.under.Settled(ctx, func() bool {
				available, largest, err = capacityOf(ctx, s.under, p.segment)
				return err != nil || available == p.available
			})
		}
		switch {
		case err != nil:
			o.miscounted(p, "fails: "+err.Error())
		case available != p.available:
			o.miscounted(p, fmt.Sprintf("answers %d", available))
		case largest > 0 && largest != p.fits():
			// How large a volume may be is the driver's to know, then: what is available is in pieces.
			s.room.told = false
		}
	}
}

// miscounted notes what GetCapacity does instead.
func (o *outcome) miscounted(p place, instead string) {
	o.broken = append(o.broken, model.Reason{Clause: roomClause, Text: fmt.Sprintf(
		"by what volumes have taken and given back, there are %d bytes available in %s, and GetCapacity %s", p.available, p.segment, instead)})
}
