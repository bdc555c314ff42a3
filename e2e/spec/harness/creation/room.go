// SPDX-License-Identifier: Apache-2.0

package creation

import (
	"context"
	"slices"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// ExpectAllowedWithRoom is like ExpectAllowed, for the answer to a request with a new name. If the driver does not report
// capacity, and the answer is right only if a segment is full, it creates volumes there to find out, and repeats the
// request.
func ExpectAllowedWithRoom(ctx context.Context, d *harness.Driver, asked model.Request, got Answer) {
	answers := model.AnswersTo(asked, d.Room.World)
	if asked.X > 0 && !d.Room.Measured() && answers.Judge(got.Answer).Grade == model.Unknown {
		got, answers = showRoom(ctx, d, asked, got)
	}
	ExpectAllowed(ctx, got, answers)
}

// showRoom creates volumes wherever the answer may be, and repeats the request between them. It returns the last answer,
// and the answers that are allowed now. Other cases may take room before the request and return it afterwards, so all but
// the first repetition are made while none of them can. Other users of the back end can, so there are several.
func showRoom(ctx context.Context, d *harness.Driver, asked model.Request, got Answer) (Answer, model.Answers) {
	const repetitions, most = 2, 4
	answers := model.AnswersTo(asked, d.Room.World)
	wanted := answers.Wanted()
	if len(wanted) > most { // a choice among all segments, which may be hundreds
		return got, answers
	}
	isUnknown := func() bool {
		if !haveRoom(ctx, d, asked, wanted) {
			return false
		}
		got = CreateExactly(ctx, d, asked)
		answers = model.AnswersTo(asked, d.Room.World)
		return answers.Judge(got.Answer).Grade == model.Unknown
	}
	if !isUnknown() {
		return got, answers
	}
	d.WhileNoRoomChanges(ctx, func() (wrong bool) {
		for range repetitions {
			if !isUnknown() {
				return false
			}
		}
		if !haveRoom(ctx, d, asked, wanted) {
			return false
		}
		world := d.Room.World
		for _, segment := range slices.Concat(wanted...) {
			world = world.With(segment, model.AtLeast(asked.Bytes))
		}
		answers = model.AnswersTo(asked, world)
		return answers.Judge(got.Answer).Grade == model.Forbidden
	})
	return got, answers
}

// haveRoom creates a volume in each of the sets of segments, and reports whether all of them were created there.
func haveRoom(ctx context.Context, d *harness.Driver, asked model.Request, sets []model.Set) bool {
	for _, set := range sets {
		made := CreateExactly(ctx, d, d.Taken(asked.Preferring().Within(set...)))
		if made.Code != codes.OK || !d.Room.Segments.StandingFor(made.Segments).Equal(set) {
			return false
		}
	}
	return len(sets) > 0
}
