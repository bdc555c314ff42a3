// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/clusters/engine"
	"github.com/csi-topo/csi-topo/e2e/mutation/proof"
	"github.com/csi-topo/csi-topo/e2e/report"
)

const (
	// tryWithin is the time limit for the cases to judge one faulty component, and clusterWithin the time limit for a
	// cluster to be ready, on a machine that builds all of it.
	tryWithin     = 40 * time.Minute
	clusterWithin = 90 * time.Minute
	// takenDownWithin is the time limit for the clean-up after an interrupt.
	takenDownWithin = 5 * time.Minute
	// leftOut is the reason why Kubernetes' suite was not run.
	leftOut = "left out: it was not selected"
)

type options struct {
	reportDir string
	// focus matches the ids of the trials to run.
	focus string
	// program is csi-topo, and suite is Kubernetes' suite, which reads the driver's description from the file testDriver.
	program, suite, testDriver string
	// name is the cluster's name.
	name string
	keep bool
	// missing keeps the rows of an earlier run, and runs only the trials without a row.
	missing bool
	out     io.Writer

	// docker holds the environment entries that select the container engine.
	docker []string
	// workload is the image of the cases' pods.
	workload string
}

// run runs all trials on one cluster, one at a time, and writes the findings.
func (o *options) run(ctx context.Context) (err error) {
	earlier, err := o.keepRows()
	if err != nil {
		return err
	}
	tries, err := o.chosen(earlier)
	if err != nil {
		return err
	}
	for _, program := range []string{o.program, o.suite} {
		if _, err := exec.LookPath(program); program != "" && err != nil {
			return fmt.Errorf("looking for a program that the run needs: %w: run make mutation-cluster, which builds it", err)
		}
	}
	began := time.Now()
	if !o.keep {
		defer func() { err = errors.Join(err, o.down(ctx)) }()
	}
	if err := o.csiTopo(ctx, clusterWithin, "up", "--name", o.name); err != nil {
		return fmt.Errorf("creating the cluster: %w", err)
	}
	used, err := engine.Ensure(ctx, engine.Options{Out: o.out})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, used.Release(ctx)) }()
	o.docker = used.Env()

	shown, err := o.tryAll(ctx, tries, earlier)
	if err != nil {
		return err
	}
	fmt.Fprint(o.out, shown.Summary())
	fmt.Fprintf(o.out, "\n%s in %s, in %.0f s\n", proof.DocumentName, o.reportDir, time.Since(began).Seconds())
	return shown.Check()
}

// chosen returns the trials to run.
func (o *options) chosen(earlier *knownRows) ([]trial, error) {
	focus, err := regexp.Compile(o.focus)
	if err != nil {
		return nil, fmt.Errorf("--focus is not a regular expression: %w", err)
	}
	tries := slices.DeleteFunc(slices.Clone(earlier.all), func(t trial) bool {
		return !focus.MatchString(t.id) || o.missing && !earlier.lacks(t)
	})
	if len(tries) == 0 {
		if o.missing {
			return nil, fmt.Errorf("--missing: the report in %s has a row for each fault that --focus %q matches; to try one again, leave out --missing", o.reportDir, o.focus)
		}
		return nil, fmt.Errorf("--focus %q matches no fault: want a part of an id such as driver/ignores_topology", o.focus)
	}
	return tries, nil
}

// tryAll runs the trials one at a time, prints the result of each, and adds it to the known rows. A trial that is
// interrupted has no row.
func (o *options) tryAll(ctx context.Context, tries []trial, earlier *knownRows) (shown *proof.Proof, err error) {
	if o.suite != "" && slices.ContainsFunc(tries, trial.met) {
		if err := o.kubernetesBaseline(ctx); err != nil {
			return nil, err
		}
	}
	var added []proof.Driver
	for i, t := range tries {
		d := o.try(ctx, t)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("interrupted: %w", ctx.Err())
		}
		said := "caught by " + strings.Join(d.By, " ")
		switch {
		case d.Error != "":
			said = d.Error
		case t.right && !d.Caught:
			said = "no false alarm"
		case !d.Caught:
			said = "caught by no case"
		}
		fmt.Fprintf(o.out, "  %d/%d  %s: %s (%.0f s)\n", i+1, len(tries), t.id, said, d.Seconds)
		added = append(added, d)
		shown = o.with(earlier, added)
		if err := shown.Write(o.reportDir); err != nil {
			return nil, err
		}
	}
	return shown, nil
}

// try runs the cases on one faulty component, and Kubernetes' suite if it can observe the fault.
func (o *options) try(ctx context.Context, t trial) proof.Driver {
	d := proof.Driver{ID: t.id, Text: t.text, Right: t.right, Tier: proof.Cluster, Origin: proof.Ours, Clause: strings.Join(t.clauses, " ")}
	cases, err := o.judge(ctx, t)
	if err != nil {
		d.Error = err.Error()
		return d
	}
	d.Found = proof.FoundBy(t.caughtBy(cases))
	d.Said = d.Quote(cases)
	for _, c := range cases {
		d.Seconds += c.Seconds
	}
	d.Seconds = math.Round(d.Seconds*10) / 10
	d.Error = strings.Join(t.missed(cases), "; ")
	if o.suite == "" || !t.met() {
		return d
	}
	var failed []string // of the unchanged driver: none
	if t.injects() {
		if failed, err = o.kubernetes(ctx, t); err != nil {
			d.Error = strings.TrimSpace(d.Error + " Kubernetes' suite: " + err.Error())
			return d
		}
	}
	found := proof.FoundBy(failed)
	d.Kubernetes = &found
	return d
}

// judge runs the cases, and returns their results.
func (o *options) judge(ctx context.Context, t trial) (cases []report.Case, err error) {
	if t.apply != nil {
		undo, err := t.apply(ctx)
		if err != nil {
			return nil, err
		}
		defer func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), takenDownWithin)
			defer cancel()
			err = errors.Join(err, undo(ctx))
		}()
	}
	dir := filepath.Join(o.reportDir, t.id)
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a report is for everybody
		return nil, fmt.Errorf("making the directory of a report: %w", err)
	}
	arguments := []string{
		"cluster", "--name", o.name, "--keep", "always", "--report-dir", dir,
		"--focus", "^(" + strings.Join(t.cases, "|") + ")$",
	}
	if !t.quick {
		arguments = append(arguments, "--slow")
	}
	if len(t.rules.Controller)+len(t.rules.Node)+len(t.rules.Provisioner) > 0 {
		file := filepath.Join(dir, "rules.yaml")
		rules, err := yaml.Marshal(t.rules)
		if err != nil {
			return nil, fmt.Errorf("encoding rules: %w", err)
		}
		if err := os.WriteFile(file, rules, 0o600); err != nil {
			return nil, fmt.Errorf("writing rules: %w", err)
		}
		arguments = append(arguments, "--inject", file)
	}
	file := filepath.Join(dir, "report.yaml")
	if err := os.RemoveAll(file); err != nil {
		return nil, fmt.Errorf("removing an earlier report: %w", err)
	}
	ended := o.csiTopo(ctx, tryWithin, arguments...) // an error if cases fail, as they must
	ran, err := report.ReadFile(file)
	if err != nil {
		return nil, errors.Join(ended, err)
	}
	return ran.Cases, nil
}

// csiTopo runs the program, and keeps its output; when the context ends, the program is interrupted and cleans up.
func (o *options) csiTopo(ctx context.Context, within time.Duration, arguments ...string) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	process := exec.CommandContext(ctx, o.program, arguments...)
	process.Cancel = func() error { return process.Process.Signal(syscall.SIGTERM) }
	process.WaitDelay = takenDownWithin
	said, err := process.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", o.program, arguments[0], err, lastLine(said))
	}
	return nil
}

// down removes the cluster, also after an interruption.
func (o *options) down(ctx context.Context) error {
	return o.csiTopo(context.WithoutCancel(ctx), takenDownWithin, "down", "--name", o.name)
}
