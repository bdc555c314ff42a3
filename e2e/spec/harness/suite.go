// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/holdings"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

// Suite surrounds the cases of one run against one target: it is the stage of the tier.
type Suite struct {
	target *Target
	health health.Health
	doubt  doubt

	masking sync.Once
	mask    *foreign.Mask // Mask returns it

	volumeTook time.Duration // how long the creation of Preflight's plain volume took

	claiming sync.Mutex
	claims   *claims // nil until the driver's claims were read

	believing sync.Mutex
	believed  map[string]belief // by segment

	attachments attachments

	starting sync.Once
	unready  error // set if the driver was not ready when the suite stopped waiting for it

	connecting sync.Mutex
	drivers    []*Driver // of all cases that have begun
}

// New returns a suite for the target, which may be completed until its cases run.
func New(target *Target) *Suite {
	target.existing = make(chan struct{}, 1)
	s := &Suite{target: target}
	s.health.Pages.Limit = target.Timeouts.Query
	if volume := target.Profile.ExistingVolume; volume != nil {
		s.health.Own.Lend(own.Volume, volume.VolumeHandle)
	}
	return s
}

// Target returns the driver that the suite's cases run against.
func (s *Suite) Target() *Target {
	return s.target
}

// Set configures how the runner runs the suite's cases.
func (s *Suite) Set(runner *suite.Runner[*Driver]) {
	runner.Stage, runner.AtOnce, runner.CleanUp, runner.Edit = s, s.target.Parallel, s.target.Timeouts.Cleanup, s.Mask().Text
	runner.Waivers = append(s.target.Profile.SetsAside(), s.target.newer()...)
	runner.Again, runner.Doubt, runner.Ready = again, &s.doubt, s.mayAttach
}

// Open connects the case to the driver.
func (s *Suite) Open(_ context.Context, c Case) *Driver { return s.connect(c.ID) }

// connect returns the driver of one case. A case that runs again uses other names, because a driver may not free a name when
// its object is deleted. Its calls are recorded after the earlier ones.
func (s *Suite) connect(id string) *Driver {
	d := connect(s.target, &s.health, id)
	d.beside = &s.doubt.found
	d.calls = s.logOf(id)
	s.connecting.Lock()
	defer s.connecting.Unlock()
	for _, earlier := range slices.Backward(s.drivers) {
		if earlier.caseID == id {
			d.named = earlier.named
			d.calls.Follow(earlier.calls)
			break
		}
	}
	s.drivers = append(s.drivers, d)
	return d
}

// Perform runs the case. Before the body of the case, it reads the driver's state, and skips the case if a need is missing.
// Afterwards it removes everything that the body made, and compares the driver's volumes, snapshots and capacity with the
// earlier state.
func (s *Suite) Perform(ctx context.Context, c Case, driver *Driver) {
	suite.Record(ctx, driver.calls, driver.calls.Placement)
	s.target.meetVersion(c)
	if c.Closing { // even if the driver does not answer
		c.Run(ctx, driver)
		return
	}
	s.health.MustAnswer()
	s.introduce(ctx, driver)
	driver.keepTo(driver.Room.Having(1))
	c.Meet(ctx, driver)
	s.awaitAttachments(ctx, c, driver)
	before := s.survey(ctx, driver)
	defer driver.Room.End()
	s.meetRoom(ctx, driver)

	c.Run(ctx, driver)

	giveBack(ctx, driver)
	mustHaveAnswered(ctx, driver)
	if leaked := driver.Held.LeakedSince(ctx, before); len(leaked) > 0 {
		suite.Warn(ctx, "CV-07", "the case leaked: everything that it made was removed, but the driver is not as it was before:\n%s", describe.Lines(leaked))
	}
}

// CleanUp removes the objects that the case has left in the driver. An error or a failure of the case may follow from a call
// that was never answered.
func (s *Suite) CleanUp(ctx context.Context, driver *Driver, said *suite.Outcome) {
	defer driver.letGo()
	sayUnusable(driver, said)
	if end := said.End; end != nil && end.Reason != suite.NotRun && (end.Verdict == suite.Errored || end.Verdict == suite.Failed) {
		said.Run(func() { mustNotBeSilent(driver) })
		switch {
		case driver.silent.Load() != nil:
		case touched(driver):
			noteCrash(said.End)
		default:
			noteBreakage(driver, said.End)
		}
		addAdvice(driver, said.End, s.Mask().Text)
	}
	if err := driver.StartOver(ctx); err != nil {
		leave(ctx, driver, err)
		return
	}
	// Objects of other users are not kept for the rest of the run.
	driver.before = holdings.State{}
	driver.Held.Forget()
}

// logOf records the calls of the case, without secrets.
func (s *Suite) logOf(caseID string) *wire.Log {
	return &wire.Log{CaseID: caseID, Spool: s.target.Calls, Edit: s.Mask().Text}
}

// introduce gives the case's driver its claims, which are read until the driver has answered once.
func (s *Suite) introduce(ctx context.Context, driver *Driver) {
	s.claiming.Lock()
	defer s.claiming.Unlock()
	if s.claims == nil {
		claims, err := s.readClaims(ctx, driver)
		mustNotBeSilent(driver)
		s.health.MustAnswer()
		if err != nil {
			suite.CouldNotTell("a call that every case depends on failed: %v", err)
		}
		driver.know(claims)
		noteOthers(ctx, driver)
		claims.learnt = learn(ctx, s.target, &s.health, claims)
		s.health.MustAnswer()
		driver.know(claims)
		claims.inexact = whyInexact(ctx, s.target, &s.health, claims)
		s.health.MustAnswer()
		s.claims = claims
	}
	driver.know(s.claims)
}

// keepClaims passes the claims that were read before the first case to the cases.
func (s *Suite) keepClaims(c *claims) {
	s.claiming.Lock()
	defer s.claiming.Unlock()
	s.claims = c
}

// readClaims reads the driver's claims, once it is ready.
func (s *Suite) readClaims(ctx context.Context, driver *Driver) (*claims, error) {
	s.waitUntilReady(ctx)
	claims, err := readClaims(ctx, driver)
	if err != nil && s.unready != nil {
		return nil, fmt.Errorf("%w; the driver is not ready: %w", err, s.unready)
	}
	return claims, err
}

// survey reads the driver's state before the case, and the room for the case's world. If the driver does not answer any
// more, the case is left out, and names the case during which the driver stopped.
func (s *Suite) survey(ctx context.Context, driver *Driver) holdings.State {
	driver.Room.Watch()
	before, rooms, err := driver.Held.Survey(ctx)
	mustNotBeSilent(driver)
	s.health.MustAnswer()
	if err != nil {
		suite.CouldNotTell("the driver's volumes and capacity, which the case needs to know, could not be read: %v", err)
	}
	driver.before = before
	driver.Room.Begin(rooms)
	s.health.Begin(driver.caseID)
	return before
}

// waitUntilReady waits for the plugin at all endpoints, once in a run, for as long as a driver may take to start.
func (s *Suite) waitUntilReady(ctx context.Context) {
	s.starting.Do(func() {
		s.unready = s.waitForAll(ctx)
	})
}

// waitForAll waits for the plugin at all endpoints, for as long as a driver may take to start.
func (s *Suite) waitForAll(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.target.Timeouts.Restart)
	defer cancel()
	return wire.WaitUntilReady(ctx, append([]grpc.ClientConnInterface{s.target.Controller}, s.target.Nodes...)...)
}
