// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Suite declares cases for one target.
type Suite struct {
	target *Target
	health health
	cases  []Case // in the order of the report
	chosen suite.Chosen
	pool   suite.Pool

	volumeTook time.Duration // by the creation of Preflight's plain volume

	claiming sync.Mutex
	claims   *claims // nil until the driver has said what it claims

	starting sync.Once
	unready  error // that the driver was not ready when the suite stopped waiting for it
}

// New is a suite for the target, which may be completed until its cases run.
func New(target *Target) *Suite {
	return &Suite{target: target}
}

// Target is what the suite's cases run against.
func (s *Suite) Target() *Target {
	return s.target
}

// Declare makes Ginkgo containers of the areas, and specs of their cases.
func (s *Suite) Declare(areas []Area) {
	for _, area := range areas {
		for _, c := range area.Cases {
			if slices.ContainsFunc(s.cases, func(other Case) bool { return other.ID == c.ID }) {
				panic("harness: there are two cases of the id " + c.ID)
			}
		}
		first := len(s.cases) + 1
		s.cases = append(s.cases, area.Cases...)
		ginkgo.Describe(area.Name, ginkgo.Serial, func() {
			for i, c := range area.Cases {
				s.declare(c, first+i)
			}
		})
	}
}

func (s *Suite) declare(c Case, number int) {
	at := types.CodeLocation{FileName: "e2e/spec", LineNumber: number}
	ginkgo.It(c.Text, c.Labels(), at, func(ctx context.Context) {
		if s.sideBySide(c) {
			s.pool.Start(ctx, s.target.Parallel, s.chosen, s.jobs)
			verdict.TellPooled(s.pool.Report(ctx, c.ID))
			return
		}
		s.pool.Wait(ctx)
		driver := connect(s.target, &s.health, c.ID)
		verdict.Calls(driver.calls.lines)
		verdict.Place(driver.placement)
		ginkgo.DeferCleanup(driver.cleanUp)
		var o suite.Outcome
		s.judge(ctx, c, driver, &o)
		verdict.Tell(&o)
	})
}

// judge runs the case and keeps in the outcome what it says.
func (s *Suite) judge(ctx context.Context, c Case, driver *Driver, o *suite.Outcome) {
	o.Run(func() { s.run(suite.With(ctx, o), c, driver) })
	if o.End == nil || o.End.NotRun || o.End.Verdict != suite.Errored && o.End.Verdict != suite.Failed {
		return
	}
	// What the case could not tell, or takes for a wrong answer, may follow from a call that was never answered.
	if o.Run(driver.mustNotBeSilent); driver.silent.Load() == nil {
		driver.noteBreakage(o.End)
	}
}

// cleanUp is a Ginkgo node that removes what is left of the case, after an interrupt too.
func (d *Driver) cleanUp(ctx context.Context) {
	var o suite.Outcome
	o.Run(func() { d.giveBack(suite.With(ctx, &o)) })
	verdict.Tell(&o)
}

// run runs the case. Before its body, the driver is asked what it holds, and the case is skipped if it lacks what the case
// needs; afterwards everything that the body made is removed, and the driver's volumes, snapshots and capacity should be
// what they were.
func (s *Suite) run(ctx context.Context, c Case, driver *Driver) {
	s.waive(c)
	s.health.mustAnswer()
	s.introduce(ctx, driver)
	driver.meetNodes(c)
	driver.meet(ctx, c.Needs)
	before := s.survey(ctx, driver)
	driver.meetRoom(c.Needs)

	c.Run(ctx, driver)

	driver.giveBack(ctx)
	driver.mustHaveAnswered(ctx)
	if leaked := driver.leakedSince(ctx, before); len(leaked) > 0 {
		suite.Warn(ctx, "CV-07", "the case leaked: everything that it made is removed, and yet the driver is not as it was before:\n%s", list(leaked))
	}
}

// introduce has the case's driver know what it claims, which is asked until it was answered once.
func (s *Suite) introduce(ctx context.Context, driver *Driver) {
	s.claiming.Lock()
	defer s.claiming.Unlock()
	if s.claims == nil {
		claims, err := s.readClaims(ctx, driver)
		driver.mustNotBeSilent()
		s.health.mustAnswer()
		if err != nil {
			suite.CouldNotTell("a call that every case needs to be answered failed: %v", err)
		}
		claims.learnt = s.learn(ctx, claims)
		s.health.mustAnswer()
		s.claims = claims
	}
	driver.know(s.claims)
}

// readClaims asks what the driver claims, once it is ready.
func (s *Suite) readClaims(ctx context.Context, driver *Driver) (*claims, error) {
	s.waitUntilReady(ctx)
	claims, err := driver.readClaims(ctx)
	if err != nil && s.unready != nil {
		return nil, fmt.Errorf("%w; the driver is not ready: %w", err, s.unready)
	}
	return claims, err
}

// survey takes the driver's state as that before the case, and the room in it for the case's world. If the driver does
// not answer any more, the case is left out: the case after whose beginning it stopped is named.
func (s *Suite) survey(ctx context.Context, driver *Driver) state {
	before, rooms, err := driver.survey(ctx)
	driver.mustNotBeSilent()
	s.health.mustAnswer()
	if err != nil {
		suite.CouldNotTell("the driver's volumes and capacity, which the case needs to know, could not be read: %v", err)
	}
	driver.before = before
	driver.rooms = rooms
	driver.world = driver.worldOf(rooms)
	s.health.begin(driver.caseID)
	return before
}

// waive ends the case as waived when the vendor's profile waives it, or one of its requirements.
func (s *Suite) waive(c Case) {
	for _, waiver := range s.target.Profile.Waivers {
		switch {
		case waiver.Case != "" && waiver.Case == c.ID:
			suite.Skip(suite.ByWaiver, "%s", waiver.Reason)
		case slices.Contains(c.Requirements, waiver.Requirement) && !c.PassesOverWaived:
			suite.Skip(suite.ByWaiver, "%s: %s", waiver.Requirement, waiver.Reason)
		}
	}
}

// list puts each sentence on a line of its own.
func list(sentences []string) string {
	return "    " + strings.Join(sentences, "\n    ")
}
