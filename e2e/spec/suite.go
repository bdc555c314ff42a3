// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity"
	"github.com/csi-topo/csi-topo/e2e/internal/session"
	"github.com/csi-topo/csi-topo/e2e/internal/target/describe"
	"github.com/csi-topo/csi-topo/e2e/internal/target/endpoint"
	"github.com/csi-topo/csi-topo/e2e/internal/target/hook"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pernode"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Suite holds the tier's cases for one driver, whose name is known.
type Suite struct {
	options Options
	driver  *endpoint.Connections
	target  *harness.Target
	cases   *harness.Suite
	calls   *wire.Spool // nil without a report directory
	remove  func() error
	// temporary is the directory that is removed with the run; empty if the options name one.
	temporary string
}

// Open connects to the driver and reads its profile. It creates nothing on the driver.
func Open(ctx context.Context, o Options) (s *Suite, err error) {
	if o, err = o.completed(); err != nil {
		return nil, err
	}
	s = &Suite{options: o, remove: func() error { return nil }}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.options.Dir == "" {
		if s.options.Dir, err = os.MkdirTemp("", "csi-topo-"); err != nil {
			return nil, fmt.Errorf("making a directory for the run: %w", err)
		}
		s.temporary = s.options.Dir
		s.remove = func() error {
			return removeDir(s.temporary)
		}
	}
	if dir := s.options.Cases.ReportDir; dir != "" {
		if s.calls, err = wire.NewSpool(dir); err != nil {
			return nil, err
		}
	}
	s.driver, err = endpoint.Connect(ctx, o.Endpoint, o.NodeEndpoints, o.limits(profile.Profile{}).Restart)
	if ctx.Err() != nil {
		return s, fmt.Errorf("interrupted before the first case: %w", context.Cause(ctx))
	}
	if err != nil {
		return s, err
	}
	if s.target, err = s.newTarget(ctx); err != nil {
		return s, err
	}
	s.cases = harness.New(s.target)
	return s, nil
}

// Close closes the connections.
func (s *Suite) Close() error {
	err := s.calls.Close()
	if s.driver != nil {
		err = errors.Join(err, s.driver.Close())
	}
	return errors.Join(err, s.remove())
}

// Driver returns the driver that answers at the endpoints.
func (s *Suite) Driver() *endpoint.Connections { return s.driver }

// Profile returns the profile that the cases use.
func (s *Suite) Profile() profile.Profile { return s.target.Profile }

// Parallel returns the number of cases that run at once.
func (s *Suite) Parallel() int { return s.target.Parallel }

// newTarget returns the target of the cases.
func (s *Suite) newTarget(ctx context.Context) (*harness.Target, error) {
	described, err := s.options.described(s.driver.Name)
	if err != nil {
		return nil, err
	}
	parallel, err := s.options.sideBySide(described)
	if err != nil {
		return nil, err
	}
	if s.options.Endpoint == "" && len(s.driver.Nodes) > 1 && !described.ControllerPerNode && s.driver.NodesControl(ctx) {
		return nil, errors.New("there is no controller endpoint, and every node endpoint serves the Controller service: set controllerPerNode in the profile if each has its own volumes, or name one of them as the controller's endpoint too")
	}
	described.Segments = append(described.Segments, s.options.Segments...)
	limits := s.options.limits(described)
	target := &harness.Target{
		Controller: s.driver.Controller,
		Endpoints:  []string{s.driver.ControllerTarget},
		Profile:    described,
		CSI:        s.options.CSI,
		Run:        harness.NewRun(),
		Seed:       s.options.Cases.Seed,
		Steps:      s.options.Steps,
		Parallel:   parallel,
		Paths:      hook.Paths(described.Directories, filepath.Join(s.options.Dir, "node"), limits),
		Exhaust:    hook.Exhauster(described.Exhaust, limits),
		Restart:    s.options.restart(described, limits),
		Calls:      s.calls,
		Timeouts:   limits,
	}
	for _, node := range s.driver.Nodes {
		target.Nodes, target.Endpoints = append(target.Nodes, node.Conn), append(target.Endpoints, node.Target)
	}
	if described.ControllerPerNode && len(target.Nodes) > 1 {
		target.Controller = pernode.New(target.Nodes)
	}
	return target, nil
}

// Run connects to the driver, runs the cases, and removes their leftovers. One process can have many runs, also
// concurrently. The end of ctx interrupts the run: its objects are removed, and the report is written; suite.OnSignals makes
// such a context from signals.
func Run(ctx context.Context, o Options) (*report.ConformanceReport, error) { return run(ctx, o, nil) }

// run is like Run, for the cases that only chooses, or all of them if it is nil.
func run(ctx context.Context, o Options, only func(id string) bool) (result *report.ConformanceReport, err error) {
	s, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err = s.keepJournal(); err != nil {
		return nil, err
	}
	result, err = s.session(only).Run(ctx)
	if err != nil {
		return result, err
	}
	if more := moreEndpoints(s.driver, result); more != "" {
		fmt.Fprintf(s.options.Cases.Out, "\n%s\n", more)
	}
	return result, nil
}

// preflight checks the prerequisites of all cases, and prints the restrictions: refused forms of requests, volumes that
// cannot be used on nodes, and slow calls.
func (s *Suite) preflight(ctx context.Context) error {
	if err := s.cases.Preflight(ctx); err != nil {
		return err
	}
	unusable, err := publication.Try(ctx, s.cases)
	if err != nil {
		return err
	}
	for _, found := range []string{s.cases.Refused(), unusable, s.cases.Slow(ctx)} {
		if found != "" {
			fmt.Fprintf(s.options.Cases.Out, "csi-topo spec: %s\n", s.cases.Mask().Text(found))
		}
	}
	return nil
}

func (s *Suite) session(only func(id string) bool) session.Session[*harness.Driver] {
	var driver report.Driver // as it is before the run, which it may not survive
	return session.Session[*harness.Driver]{
		Tier:    "spec",
		CSI:     s.options.CSI,
		Profile: s.target.Profile, ProfileName: s.options.Profile,
		Options: s.options.Cases,
		Areas:   Areas(),
		Guest:   &sanity.Guest{Tier: s.cases, Segments: segments(s.driver), Extent: sanity.Extent(s.options.Sanity)},
		Only:    only,
		Prepare: func(ctx context.Context, runner *suite.Runner[*harness.Driver]) error {
			driver = describe.Driver(ctx, s.driver.Controller)
			s.cases.Set(runner)
			return s.preflight(ctx)
		},
		Describe: func(ctx context.Context, described *report.ConformanceReport) {
			const patience = 10 * time.Second
			ctx, cancel := suite.CleanUp(ctx, patience) // after an interrupt too
			defer cancel()
			described.Suite.Run = s.target.Run
			describeTo(ctx, s.driver, described, driver, func(name string) string { return suite.CutName(s.cases.Mask().Text(name)) })
		},
		Finish: func(ctx context.Context, out io.Writer) error {
			return s.finish(ctx, out)
		},
	}
}
