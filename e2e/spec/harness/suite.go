package harness

import (
	"context"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Suite declares cases for one target.
type Suite struct {
	target *Target
	claims *claims // nil until the driver has said what it claims
	last   string  // the case that the driver last answered at the beginning of
}

// New is a suite for the target, which may be completed until its cases run.
func New(target *Target) *Suite {
	return &Suite{target: target}
}

// Target is what the suite's cases run against.
func (s *Suite) Target() *Target {
	return s.target
}

// Area declares one group of cases, by which the report is grouped too. One case runs at a time: each fills segments and
// watches the driver's whole capacity.
func (s *Suite) Area(name string, cases ...func(*Suite)) {
	ginkgo.Describe(name, ginkgo.Serial, func() {
		for _, declare := range cases {
			declare(s)
		}
	})
}

// Case declares one case. Before its body, the driver is asked what it holds, and the case is skipped if it lacks what it
// needs; afterwards everything that the body made is removed, and the driver's volumes, snapshots and capacity must be
// what they were.
func (s *Suite) Case(text string, labels ginkgo.Labels, needs Needs, body func(ctx context.Context, under *Driver)) {
	labels = slices.Concat(labels, needs.labels())
	ginkgo.It(text, labels, ginkgo.Offset(1), func(ctx ginkgo.SpecContext) {
		s.waive(labels)
		under := connect(s.target, verdict.CaseID(labels))
		verdict.Calls(under.calls.lines)
		s.introduce(ctx, under)
		under.meet(needs)
		before := s.survey(ctx, under)
		under.meetRoom(needs)
		ginkgo.DeferCleanup(under.giveBack)

		body(ctx, under)

		under.giveBack(ctx)
		if leaked := under.changedSince(ctx, before); len(leaked) > 0 {
			ginkgo.Fail("the case leaked: everything that it made is removed, and yet the driver is not as it was before (CV-07):\n" + list(leaked))
		}
	})
}

// introduce has the case's driver know what it claims, which is asked until it was answered once.
func (s *Suite) introduce(ctx context.Context, under *Driver) {
	if s.claims == nil {
		s.claims = under.readClaims(ctx)
	}
	under.know(s.claims)
}

// survey takes the driver's state as that before the case, and the room in it for the case's world. A driver that does
// not answer any more is none of the case's doing: the case after whose beginning it stopped is named.
func (s *Suite) survey(ctx context.Context, under *Driver) state {
	before, rooms, err := under.survey(ctx)
	switch {
	case unanswered(err) && ctx.Err() == nil && s.last != "":
		verdict.CouldNotTell("the driver has not answered since the case %s: %s", s.last, model.CodeName(status.Code(err)))
	case err != nil:
		verdict.CouldNotTell("the driver's volumes and capacity, which the case needs to know, could not be read: %v", err)
	}
	under.world, under.available = under.worldOf(rooms)
	s.last = under.caseID
	return before
}

// WatchForLeaks has each case of the container around it leave the driver as it was, though the case speaks to the
// driver by connections of its own. A leak is an error: who made what is left is not known.
func (s *Suite) WatchForLeaks() {
	ginkgo.BeforeEach(func(ctx ginkgo.SpecContext) {
		under := connect(s.target, verdict.CaseID(ctx.SpecReport().Labels()))
		s.introduce(ctx, under)
		before := s.survey(ctx, under)
		ginkgo.DeferCleanup(under.mustBeAsBefore, before)
	})
}

func (d *Driver) mustBeAsBefore(ctx context.Context, before state) {
	if leaked := d.changedSince(ctx, before); len(leaked) > 0 {
		verdict.CouldNotTell("the case leaked: the driver is not as it was before it:\n%s", list(leaked))
	}
}

// waive ends the case as waived when the vendor's profile waives one of its requirements.
func (s *Suite) waive(labels []string) {
	for _, id := range verdict.Requirements(labels) {
		for _, waiver := range s.target.Profile.Waivers {
			if waiver.Requirement == id {
				verdict.Skip(verdict.ByWaiver, "%s: %s", id, waiver.Reason)
			}
		}
	}
}

// list puts each sentence on a line of its own.
func list(sentences []string) string {
	return "    " + strings.Join(sentences, "\n    ")
}
