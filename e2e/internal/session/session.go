// SPDX-License-Identifier: Apache-2.0

// Package session runs one tier's cases for a user: it checks the options, selects cases, shows progress, and returns and
// writes the report. It is independent of the cases, and changes no global state: many sessions can run in one process,
// even concurrently.
package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/report/page"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Session is one run of a tier's cases.
type Session[T any] struct {
	// Tier is the tier's name in the report, "spec" or "cluster".
	Tier string
	// CSI is the version of the CSI specification that the driver is judged by; empty means the newest.
	CSI string
	// Profile is the vendor's profile of the driver, and ProfileName its file or name; both are empty without a profile.
	Profile     profile.Profile
	ProfileName string
	Options     suite.Options
	Areas       []suite.Area[T]
	// Guest is another suite that runs with the cases; nil if there is none.
	Guest suite.Guest
	// Only reports whether a case that the options select runs; nil runs all of them.
	Only func(id string) bool
	// Prepare creates everything that the cases need, once the filters have selected some, and completes the runner. If it
	// returns an error, every case ends in an error with that message.
	Prepare func(ctx context.Context, runner *suite.Runner[T]) error
	// Describe fills in the driver and the environment, after the last case and also after an interrupt; nil leaves
	// them empty.
	Describe func(ctx context.Context, r *report.ConformanceReport)
	// Finish undoes everything that is left, once the report is written; nil undoes nothing.
	Finish func(ctx context.Context, out io.Writer) error
}

// Run runs the cases and returns their report, after it has written it to the report directory and a summary to the output.
// The end of ctx, or of the time limit, interrupts the running cases: their objects are removed, and the report is written;
// cases that did not begin are errors in it. Run returns an error if the cases could not be run, if something could not be
// undone, or if the report, which is then also returned, could not be written.
func (s Session[T]) Run(ctx context.Context) (*report.ConformanceReport, error) {
	if err := Validate(s.Options); err != nil {
		return nil, err
	}
	s.Options.Seed = cmp.Or(s.Options.Seed, time.Now().Unix())
	if s.Options.Out == nil {
		s.Options.Out = io.Discard
	}
	if limit := s.Options.Timeout; limit > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the time limit of the run, %s, has passed", limit))
		defer cancel()
		ctx = limited
	}
	plan := suite.Plan[T]{Areas: s.Areas, Guest: s.Guest, Seed: s.Options.Seed, Shuffle: s.Options.Shuffle}
	if s.Guest != nil {
		var err error
		if plan.Guests, err = s.Guest.List(ctx); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	all := plan.All()
	if err := suite.CheckIDs(all); err != nil {
		return nil, err
	}
	chosen, err := Choose(s.Options, all)
	if ctx.Err() != nil && len(chosen) == 0 {
		return nil, beforeTheFirst(ctx)
	}
	if err != nil {
		return nil, err
	}
	if s.Only != nil {
		chosen = slices.DeleteFunc(chosen, func(c suite.Listed) bool { return !s.Only(c.ID) })
	}
	plan.Chosen = suite.IDs(chosen)
	return s.run(ctx, plan, all)
}

func (s Session[T]) run(ctx context.Context, plan suite.Plan[T], all []suite.Listed) (result *report.ConformanceReport, err error) {
	if s.Finish != nil {
		defer func() { err = errors.Join(err, s.Finish(ctx, s.Options.Out)) }()
	}
	run := report.Finished{Tier: s.Tier, CSI: cmp.Or(s.CSI, requirement.Newest()), Seed: s.Options.Seed, Shuffle: s.Options.Shuffle, Began: time.Now(), Command: s.Options.Command, Again: s.Options.Again}
	watch := newProgress(s.Options, run.Began, len(plan.Chosen))
	runner := &suite.Runner[T]{Lookup: requirement.Lookup, Watch: watch}
	err = s.Prepare(ctx, runner)
	if ctx.Err() != nil { // regardless of the preparation's error
		err = beforeTheFirst(ctx)
	}
	if err != nil {
		return s.unprepared(ctx, run, runner, plan, err)
	}
	fmt.Fprintf(s.Options.Out, "csi-topo %s: %d of %d cases, seed %d\n", s.Tier, len(plan.Chosen), len(all), run.Seed)
	run.Began = time.Now()
	stop := watch.start(ctx, run.Began)
	run.Results, run.Waivers = runner.Run(ctx, plan), runner.Waivers
	run.Took = time.Since(run.Began)
	stop()
	return s.conclude(ctx, run)
}

// beforeTheFirst returns an error for a run that ended before its first case, with the reason.
func beforeTheFirst(ctx context.Context) error {
	return fmt.Errorf("interrupted before the first case: %w", context.Cause(ctx))
}

// unprepared returns the report of selected cases that could not begin, with the cause for each.
func (s Session[T]) unprepared(ctx context.Context, run report.Finished, runner *suite.Runner[T], plan suite.Plan[T], cause error) (*report.ConformanceReport, error) {
	run.Results = runner.Unprepared(ctx, plan, cause.Error())
	result := s.reportOf(run)
	if result.Summary.Fail > 0 {
		report.Failures(s.Options.Out, result, requirement.Meaning)
	}
	if s.Options.ReportDir == "" {
		return result, cause
	}
	return result, errors.Join(cause, write(s.Options.ReportDir, result, run))
}

// reportOf returns the part of a run's report that is known without the driver.
func (s Session[T]) reportOf(run report.Finished) *report.ConformanceReport {
	result := report.FromResults(run, requirement.Lookup)
	result.Suite.Version, result.Suite.Commit = suite.Version()
	result.Implementation = implementationOf(s.Profile.Implementation)
	if s.ProfileName != "" {
		result.Suite.Profile, _ = profile.Public(s.ProfileName) // it was read before the run
	}
	conformance.Complete(result)
	return result
}

func implementationOf(i profile.Implementation) report.Implementation {
	return report.Implementation{Organization: i.Organization, Project: i.Project, URL: i.URL, Version: i.Version, Backend: report.Backend(i.Backend)}
}

func (s Session[T]) conclude(ctx context.Context, run report.Finished) (*report.ConformanceReport, error) {
	result := s.reportOf(run)
	if s.Describe != nil {
		s.Describe(ctx, result)
	}
	out := s.Options.Out
	report.Failures(out, result, requirement.Meaning)
	report.Skips(out, result)
	report.Table(out, result)
	report.Profiles(out, result)
	report.Waivers(out, result)
	if s.Options.ReportDir == "" {
		fmt.Fprint(out, "\nno report was kept: name a directory for it with --report-dir\n")
		return result, nil
	}
	if err := write(s.Options.ReportDir, result, run); err != nil {
		return result, err
	}
	fmt.Fprintf(out, "\nreport in %s\n", s.Options.ReportDir)
	return result, nil
}

// write writes the report's files. The page comes last, because it shows the content of the others.
func write(dir string, result *report.ConformanceReport, run report.Finished) error {
	if err := report.WriteDir(dir, result, run); err != nil {
		return err
	}
	calls, err := report.ReadCalls(dir)
	if err != nil {
		return err
	}
	return page.WriteDir(dir, []report.Run{{Report: result, Calls: calls}})
}
