// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ask requests a volume with a new name, and judges the answer. It sends the request unchanged, unless the driver refuses
// its form.
func ask(ctx context.Context, driver *harness.Driver, asked model.Request) creation.Answer {
	return askExactly(ctx, driver, driver.Taken(asked))
}

// askExactly is like ask, for a case about the form of the request.
func askExactly(ctx context.Context, driver *harness.Driver, asked model.Request) creation.Answer {
	got := creation.CreateExactly(ctx, driver, asked)
	creation.ExpectAllowedWithRoom(ctx, driver, asked, got)
	if got.Code != codes.OK {
		creation.ExpectNothingLeft(ctx, got)
	}
	return got
}

// mustCreate is like ask, for a case that depends on the volume. If it is rightly refused, the case is skipped.
func mustCreate(ctx context.Context, driver *harness.Driver, asked model.Request) creation.Answer {
	got := ask(ctx, driver, asked)
	if got.Code != codes.OK {
		suite.Skip(suite.ByEnvironment, "the case depends on a volume, and CreateVolume answered %s", got)
	}
	return got
}

// askAgain requests a volume with the name of an earlier one, and judges the answer.
func askAgain(ctx context.Context, driver *harness.Driver, first creation.Answer, asked model.Request) {
	askAgainExactly(ctx, driver, first, driver.Taken(asked))
}

// askAgainExactly is like askAgain, for a case about the form of the request.
func askAgainExactly(ctx context.Context, driver *harness.Driver, first creation.Answer, asked model.Request) {
	again := creation.CreateAgain(ctx, driver, first, asked)
	skipIfUnwanted(ctx, driver, asked, again)
	judgeAnswer(ctx, again, model.AnswersToRepeat(asked, driver.Room.World, first.Segments))
	creation.ExpectSame(driver, again, first)
}

// judgeAnswer compares an answer with the allowed ones, and warns of traces of a refused call.
func judgeAnswer(ctx context.Context, got creation.Answer, answers model.Answers) {
	creation.ExpectAllowed(ctx, got, answers)
	if got.Code != codes.OK {
		creation.ExpectNothingLeft(ctx, got)
	}
}

// question is a case that makes several requests once each, while all segments have room.
type question struct {
	id string
	// text describes the right answers.
	text, verifies string
	needs          []harness.Need
	// exactly says that the case is about the form of the request.
	exactly bool
	// asked are the requests, for the driver's own segments.
	asked func(driver *harness.Driver) []model.Request
}

func (q question) asCase() harness.Case {
	return harness.Case{
		ID: q.id, Text: q.text, Requirements: strings.Fields(q.verifies), Needs: harness.Needs(q.needs, harness.Volumes(volumesEach)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			for _, asked := range q.asked(driver) {
				if q.exactly {
					askExactly(ctx, driver, asked)
				} else {
					ask(ctx, driver, asked)
				}
			}
		},
	}
}

func casesOf(questions []question) []harness.Case {
	var cases []harness.Case
	for _, q := range questions {
		cases = append(cases, q.asCase())
	}
	return cases
}
