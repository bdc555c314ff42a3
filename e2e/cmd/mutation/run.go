// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"go.yaml.in/yaml/v3"
	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/catalogue"
	"github.com/csi-topo/csi-topo/e2e/mutation/proof"
	"github.com/csi-topo/csi-topo/e2e/spec"
)

const (
	// patience limits the time of one suite for one driver, on a machine that is busy with other work as well: a driver
	// that makes the suite wait took over ten minutes where ten other processes wanted each processor.
	patience = 30 * time.Minute
	// clearing limits the clean-up of a suite that is interrupted.
	clearing = 20 * time.Second
	// garbage is the growth of the heap, in percent, before garbage collection: drivers live for seconds.
	garbage = 400
	// inSanity is the number of drivers that csi-sanity is run against in one process.
	inSanity = 12
	// waiters is the number of runs that mostly wait, for each run that needs a processor.
	waiters = 2
	// needsCluster is why Kubernetes' suite is not run.
	needsCluster = "not run: it needs a cluster"
)

// options say which drivers are run, and what is written of them.
type options struct {
	reportDir string
	focus     string
	parallel  int
	// all also runs csi-sanity, and every case combinations_* against each right driver.
	all bool
}

// one is a suite that is run: the spec tier against one driver, or csi-sanity, in a process of its own, against one or more.
type one struct {
	mutants []mutation.Mutant
	suite   string
	// seed determines the order of the spec tier's cases and the generated ones, and only is the one case that is run;
	// if it is empty, the driver's cases are run.
	seed int64
	only string
	// steps is the number of requests of the generated case.
	steps int
	// sampled says that only one of the cases combinations_* is run.
	sampled bool

	// said is of each driver, in their order, unless the run failed.
	said []said
	err  error
}

// run runs the suites against all drivers, and writes what they said. If it is interrupted, it writes what was said
// until then, and returns an error.
func (o options) run(ctx context.Context, out io.Writer) error {
	chosen, err := o.chosen()
	if err != nil {
		return err
	}
	began := time.Now()
	all, by := o.bySpecOf(chosen), "the spec tier"
	if o.all {
		all, by = append(all, bySanityOf(chosen)...), by+" and by csi-sanity"
	}
	longestFirst(all)
	fmt.Fprintf(out, "mutation: %d drivers, by %s, %d at once\n", len(chosen), by, o.parallel)
	interrupted := o.runAll(ctx, out, all)
	shown := conclude(all)
	if err := shown.Write(o.reportDir); err != nil {
		return errors.Join(interrupted, err)
	}
	fmt.Fprint(out, shown.Summary())
	fmt.Fprintf(out, "\n%s in %s, in %.0f s\n", proof.DocumentName, o.reportDir, time.Since(began).Seconds())
	if interrupted != nil {
		return interrupted
	}
	return shown.Check()
}

// chosen returns the drivers that are run.
func (o options) chosen() ([]mutation.Mutant, error) {
	focus, err := regexp.Compile(o.focus)
	if err != nil {
		return nil, fmt.Errorf("--focus is not a regular expression: %w", err)
	}
	chosen := slices.DeleteFunc(catalogue.All(), func(m mutation.Mutant) bool { return !focus.MatchString(m.ID) })
	if len(chosen) == 0 {
		return nil, fmt.Errorf("--focus %q matches no driver: want a part of an id such as placement/ignores-preferred", o.focus)
	}
	return chosen, nil
}

// bySpecOf returns the runs of the spec tier against the drivers. Right drivers take most of the time of a run of the whole
// catalogue: unless all is set, each of them gets one of the cases combinations_*.
func (o options) bySpecOf(chosen []mutation.Mutant) []*one {
	var all []*one
	for _, m := range chosen {
		sampled := !o.all && o.focus == "" && m.Kind == mutation.Conformant
		all = append(all, &one{mutants: []mutation.Mutant{m}, suite: bySpec, seed: 1, sampled: sampled})
	}
	return all
}

// bySanityOf returns the runs of csi-sanity against the reference driver and the drivers.
func bySanityOf(chosen []mutation.Mutant) []*one {
	var all []*one
	for some := range slices.Chunk(append([]mutation.Mutant{{ID: reference}}, chosen...), inSanity) {
		all = append(all, &one{mutants: some, suite: bySanity})
	}
	return all
}

// longestFirst sorts the runs so that none of the long ones runs alone at the end.
func longestFirst(all []*one) {
	slices.SortStableFunc(all, func(a, b *one) int { return cmp.Compare(b.weight(), a.weight()) })
}

// The weights of runs. Right drivers mostly wait: longest is the weight of the slowest of them, and waits the weight of
// the others; long is the weight of other runs of more than a second.
const longest, waits, long = 3, 2, 1

func (s *one) weight() int {
	switch {
	case s.suite == bySpec && s.mutants[0].Kind == mutation.Conformant && s.only == "":
		if s.mutants[0].Long {
			return longest
		}
		return waits
	case s.suite == bySanity, strings.HasPrefix(s.mutants[0].ID, "generated/"):
		return long
	default:
		return 0
	}
}

// runAll runs them in directories of their own, which are removed afterwards.
func (o options) runAll(ctx context.Context, out io.Writer, all []*one) (err error) {
	scratch, err := embedded.MkdirTemp("m") // a short path, because it contains sockets
	if err != nil {
		return fmt.Errorf("making a directory for the runs: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	debug.SetGCPercent(garbage)
	if err := os.Setenv("TMPDIR", scratch); err != nil { // where drivers of this process have their directories
		return fmt.Errorf("naming a directory for the runs: %w", err)
	}
	// Runs of right drivers wait for two thirds of their time: more of them run at once, beside the others, which need
	// the processors.
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(o.parallel)
	var waiting errgroup.Group
	waiting.SetLimit(waiters * o.parallel)
	done := make(chan *one)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		watch(out, len(all), done)
	}()
	run := func(i int) error {
		if ctx.Err() == nil {
			all[i].run(ctx, filepath.Join(scratch, fmt.Sprint(i)))
		}
		if ctx.Err() != nil {
			all[i].err = ctx.Err()
			return ctx.Err()
		}
		done <- all[i]
		return nil
	}
	group.Go(func() error {
		for i, s := range all {
			if s.weight() >= waits {
				waiting.Go(func() error { return run(i) })
			}
		}
		return waiting.Wait()
	})
	for i, s := range all {
		if s.weight() < waits {
			group.Go(func() error { return run(i) })
		}
	}
	err = group.Wait()
	close(done)
	<-watched
	if err != nil {
		return fmt.Errorf("interrupted: %w", err)
	}
	return nil
}

// watch prints the progress of the run now and then.
func watch(out io.Writer, all int, done <-chan *one) {
	const every = 15 * time.Second
	began, count := time.Now(), 0
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case s, more := <-done:
			if !more {
				return
			}
			count++
			if s.err != nil {
				fmt.Fprintf(out, "  %s, %s: %v\n", strings.Join(s.ids(), " "), s.suite, s.err)
			}
		case <-ticker.C:
			fmt.Fprintf(out, "  %4.0f s  %d of %d runs\n", time.Since(began).Seconds(), count, all)
		}
	}
}

func (s *one) ids() []string {
	var ids []string
	for _, m := range s.mutants {
		ids = append(ids, m.ID)
	}
	return ids
}

// run runs the suite. A process is interrupted with the context and then cleans up.
func (s *one) run(ctx context.Context, dir string) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if s.suite == bySpec {
		s.said = make([]said, 1)
		s.said[0], s.err = s.hear(ctx)
		return
	}
	arguments := slices.Concat([]string{"one"}, s.ids())
	s.err = inProcess(ctx, dir, &s.said, arguments...)
	if s.err == nil && len(s.said) != len(s.mutants) {
		s.err = fmt.Errorf("the process reported %d drivers, but was given %d", len(s.said), len(s.mutants))
	}
}

// hear runs the spec tier in this process. It makes a new driver: a fault may remember what it has done.
func (s *one) hear(ctx context.Context) (said, error) {
	m, err := mutantOf(s.mutants[0].ID)
	if err != nil {
		return said{}, err
	}
	if s.only != "" {
		m.Only, m.Focus = []string{s.only}, ""
		m.Target = inSteps(s.steps, m.Target)
	}
	areas := spec.Areas()
	if s.sampled {
		areas = mutation.Sample(areas, m.ID)
	}
	return hear(ctx, m, areas, s.seed)
}

// inProcess runs this program in a directory that is removed afterwards, and reads what it wrote into the file of its flag --file.
func inProcess(ctx context.Context, dir string, heard *[]said, arguments ...string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("making a directory for a run: %w", err)
	}
	file := filepath.Join(dir, "said.yaml")
	process := exec.CommandContext(ctx, os.Args[0], append(arguments, "--file", file)...)
	// More processes than there are processors run side by side, for seconds: one processor each is cheaper.
	process.Env = append(os.Environ(), "TMPDIR="+dir, "GOGC=400", "GOMAXPROCS=1")
	process.Cancel = func() error { return process.Process.Signal(syscall.SIGTERM) }
	process.WaitDelay = clearing
	output, err := process.CombinedOutput()
	if err != nil {
		return errors.Join(fmt.Errorf("%w: %s", err, without(dir, lastLine(output))), os.RemoveAll(dir))
	}
	text, err := os.ReadFile(file)
	return errors.Join(err, yaml.Unmarshal(text, heard), os.RemoveAll(dir))
}

// without removes the directory, or the directory of a driver below it, from paths in the text: these differ between
// runs.
func without(dir, text string) string {
	return regexp.MustCompile(regexp.QuoteMeta(dir)+`/(spec\d+/)?`).ReplaceAllString(text, "")
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
