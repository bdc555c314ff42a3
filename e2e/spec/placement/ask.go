// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"

	"google.golang.org/grpc/codes"

	"strings"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ask asks for a volume with a new name, and judges the answer.
func ask(ctx context.Context, driver *harness.Driver, asked model.Request) harness.Answer {
	got := driver.CreateVolume(ctx, asked)
	judgeAnswer(ctx, got, model.AnswersTo(asked, driver.World()))
	return got
}

// mustCreate is ask for a case that depends on the volume. If it is rightly refused, the case is skipped.
func mustCreate(ctx context.Context, driver *harness.Driver, asked model.Request) harness.Answer {
	got := ask(ctx, driver, asked)
	if got.Code != codes.OK {
		suite.Skip(suite.ByEnvironment, "the case depends on a volume, and CreateVolume answered %s", got)
	}
	return got
}

// askAgain asks for a volume with the name of an earlier one, and judges the answer.
func askAgain(ctx context.Context, driver *harness.Driver, first harness.Answer, asked model.Request) {
	again := driver.CreateVolumeAgain(ctx, first, asked)
	judgeAnswer(ctx, again, model.AnswersToRepeat(asked, driver.World(), first.Segments))
	driver.ExpectSameVolume(again, first)
}

// judgeAnswer judges an answer by those that are allowed, and warns of what a refusal leaves behind.
func judgeAnswer(ctx context.Context, got harness.Answer, answers model.Answers) {
	harness.ExpectAllowed(ctx, got, answers)
	if got.Code != codes.OK {
		harness.ExpectNothingLeft(ctx, got)
	}
}

// question is a case that makes some requests once each, while all segments have room.
type question struct {
	id string
	// text says which answers are right.
	text, verifies string
	needs          harness.Needs
	// asked are the requests, for the driver's own segments.
	asked func(driver *harness.Driver) []model.Request
}

func (q question) asCase() harness.Case {
	q.needs.Volumes = volumesEach
	return harness.Case{
		ID: q.id, Text: q.text, Requirements: strings.Fields(q.verifies), Needs: q.needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			for _, asked := range q.asked(driver) {
				ask(ctx, driver, asked)
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
