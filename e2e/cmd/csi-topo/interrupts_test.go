// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// moment is a point at which a run of the spec tier is interrupted.
type moment struct {
	name  string
	cases suite.Options
	// ended interrupts the run once this many cases have ended, restarts once the driver has been restarted this many
	// times, and calls once this many calls have reached its controller; 0 is never.
	ended, restarts, calls int
	// twice interrupts the clean-up as well.
	twice    bool
	parallel int
	// slow makes a proxy before the driver delay calls.
	slow bool
}

// moments returns moments in everything that a run does: in concurrent cases, with csi-sanity running too, in the generated
// sequence, in concurrent calls, while the driver is restarted, on a slow driver, and in the clean-up. Each has a different
// order of the cases, so that different cases are interrupted after few have ended.
func moments() []moment {
	var all []moment
	add := func(m moment) {
		m.name = fmt.Sprintf("%02d %s", len(all)+1, m.name)
		m.cases.Seed = int64(len(all) + 1)
		all = append(all, m)
	}
	for i := range 30 {
		add(moment{name: "anywhere", ended: 1 + 4*i, parallel: 8})
	}
	for i := range 6 {
		add(moment{name: "in csi-sanity", cases: suite.Options{Label: "csi-sanity"}, ended: 10 + 20*i})
	}
	for i := range 6 {
		add(moment{name: "in the generated sequence", cases: suite.Options{Focus: []string{"^generated_sequence$"}}, calls: 40 + 20*i})
	}
	for i := range 6 {
		add(moment{name: "in calls at once", cases: suite.Options{Focus: []string{"^history_of_publication$"}}, calls: 30 + 8*i})
	}
	for i := range 6 {
		add(moment{name: "in a restart", cases: suite.Options{Focus: []string{"^restart_"}}, restarts: 1 + i})
	}
	for i := range 6 {
		add(moment{name: "on a slow driver", cases: suite.Options{Skip: []string{"^restart_"}, Label: "!csi-sanity"}, ended: 1 + 10*i, slow: true, parallel: 8})
	}
	for i := range 6 {
		add(moment{name: "one after another", ended: 5 + 10*i, parallel: 1})
	}
	for i := range 6 {
		add(moment{name: "in the clean-up as well", cases: suite.Options{Label: "!csi-sanity"}, ended: 10 + 10*i, twice: true, slow: true, parallel: 8})
	}
	return all
}

// TestInterrupts checks that an interrupt leaves nothing in the driver, and loses no result of a case that has ended.
func TestInterrupts(t *testing.T) {
	t.Parallel()
	for _, m := range moments() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			m.show(t)
		})
	}
}

// endedCase matches a line of the progress for a case that has ended.
var endedCase = regexp.MustCompile(`(?m)^ *\d+s +\d+/\d+ +(pass|fail|warn|error|skip) +(\S+) `)

func (m moment) show(t *testing.T) {
	dir, remove, err := directoryInMemory()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := remove(); err != nil {
			t.Error(err)
		}
	}()
	driver, err := embed(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := driver.Stop(); err != nil {
			t.Error(err)
		}
	}()
	aborted, abort := context.WithCancel(context.Background())
	defer abort()
	ctx, cancel := context.WithCancel(suite.WithAbort(t.Context(), aborted))
	defer cancel()
	interrupt := func() {
		cancel()
		if m.twice {
			abort()
		}
	}
	out := &watched{interrupt: interrupt, at: m.ended}
	o := m.options(t, driver, dir, interrupt)
	o.Cases.Out = out
	result, err := spec.Run(ctx, o)
	if result == nil {
		t.Fatal(err)
	}
	if got := keepsResults(t, result, out.String()); got < m.ended {
		t.Errorf("%d cases had ended, and the run was to be interrupted after %d", got, m.ended)
	}
	m.leavesNothing(t, driver, dir, out.String())
	if err != nil && !strings.Contains(err.Error(), "before the first case") {
		t.Error(err)
	}
}

// options returns the options of a run against the driver.
func (m moment) options(t *testing.T, driver *embeddedDriver, dir string, interrupt func()) spec.Options {
	t.Helper()
	o := spec.Options{Profile: profile.Reference, Endpoint: driver.Controller, Cases: m.cases, Dir: dir, Parallel: m.parallel, Steps: spec.DefaultSteps}
	o.Cases.Shuffle, o.Cases.Verbose = true, true
	var restarts atomic.Int64
	o.Restart = func(ctx context.Context) error {
		err := driver.restart(ctx)
		if int(restarts.Add(1)) == m.restarts {
			interrupt()
		}
		return err
	}
	for _, node := range driver.Nodes {
		o.NodeEndpoints = append(o.NodeEndpoints, node.Endpoint)
		o.Segments = append(o.Segments, node.Segment)
	}
	if m.parallel > 1 {
		o.Profile = watchedLess(t, dir)
	}
	socket := strings.TrimPrefix(driver.Controller, "unix://")
	if m.slow {
		o.Endpoint = proxied(t, dir, socket, delays(t), io.Discard)
	}
	if m.calls > 0 {
		o.Endpoint = proxied(t, dir, socket, &trace.Rules{}, &counted{interrupt: interrupt, at: m.calls})
	}
	return o
}

// watchedLess returns the reference driver's profile without the settings that keep cases from running concurrently.
func watchedLess(t *testing.T, dir string) string {
	t.Helper()
	text, err := profile.Text(profile.Reference)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{}
	if err := yaml.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	fields["capacity"], fields["exclusive"] = "at-least", false
	delete(fields, "cluster")
	less, err := yaml.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "profile.yaml")
	if err := os.WriteFile(path, less, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// delays returns rules that delay calls that change something by 100 ms.
func delays(t *testing.T) *trace.Rules {
	t.Helper()
	rules := &trace.Rules{}
	for _, method := range []string{"CreateVolume", "DeleteVolume", "CreateSnapshot", "DeleteSnapshot", "ControllerPublishVolume", "ControllerUnpublishVolume"} {
		var rule trace.Rule
		if err := json.Unmarshal(fmt.Appendf(nil, `{"id": %q, "method": %q, "delay": "100ms"}`, method, method), &rule); err != nil {
			t.Fatal(err)
		}
		if err := rules.Add(rule); err != nil {
			t.Fatal(err)
		}
	}
	return rules
}

// proxied starts a proxy in front of the socket, which writes a line for each call to out, and returns its endpoint.
func proxied(t *testing.T, dir, socket string, rules *trace.Rules, out io.Writer) string {
	t.Helper()
	at := filepath.Join(dir, "proxy.sock")
	ctx, end := context.WithCancel(context.Background())
	listener, err := trace.Listen(ctx, at)
	if err != nil {
		t.Fatal(err)
	}
	recorder := trace.NewRecorder("", "", 1, out)
	proxy := &trace.Proxy{Driver: socket, Recorder: recorder, Rules: rules, Patience: time.Second}
	ended := make(chan error, 2)
	go func() { ended <- proxy.Serve(ctx, listener) }()
	go func() { ended <- recorder.Run(ctx) }()
	t.Cleanup(func() {
		end()
		if err := errors.Join(<-ended, <-ended); err != nil {
			t.Error(err)
		}
	})
	return "unix://" + at
}

// counted is a writer that interrupts a run once it has received a number of lines.
type counted struct {
	interrupt func()
	at, lines int
}

func (c *counted) Write(p []byte) (int, error) {
	before := c.lines
	c.lines += bytes.Count(p, []byte("\n"))
	if before < c.at && c.at <= c.lines {
		c.interrupt()
	}
	return len(p), nil
}

// keepsResults checks that each case that has ended has the verdict of the progress, and that every other case was
// interrupted or never started. It returns the number of ended cases.
func keepsResults(t *testing.T, result *report.ConformanceReport, printed string) int {
	t.Helper()
	ended := map[string]string{}
	for _, line := range endedCase.FindAllStringSubmatch(printed, -1) {
		ended[line[2]] = line[1]
	}
	cut, notRun := 0, 0
	for _, c := range result.Cases {
		was, hasEnded := ended[c.ID]
		switch {
		case c.DecidedBy == suite.ByFilter:
		case c.Verdict == suite.Errored && c.Reason == suite.Interrupted:
			cut++
		case c.Verdict == suite.Errored && c.Reason == suite.NotRun && !hasEnded:
			notRun++
		case c.Verdict == suite.Errored || c.Verdict == suite.Failed:
			t.Errorf("case %s: %s %s, want that it was interrupted, or did not begin\n%s", c.ID, c.Verdict, c.Reason, c.Message)
		case string(c.Verdict) != was:
			t.Errorf("case %s ended with %q, and the report has %s %s", c.ID, was, c.Verdict, c.Reason)
		}
		if hasEnded && string(c.Verdict) != was {
			t.Errorf("case %s ended with %s, and the report has %s", c.ID, was, c.Verdict)
		}
	}
	t.Logf("%d ended, %d were cut, %d did not begin", len(ended)-cut, cut, notRun)
	return len(ended)
}

// leavesNothing checks that the run left nothing or, after an interrupt of the clean-up, that its output names everything
// that is left.
func (m moment) leavesNothing(t *testing.T, driver *embeddedDriver, dir, printed string) {
	t.Helper()
	for _, id := range append(driver.Volumes.IDs(), driver.Volumes.SnapshotIDs()...) {
		if !m.twice {
			t.Errorf("%s is left in the driver", id)
		} else if !strings.Contains(printed, id) && !strings.Contains(printed, "named csi-topo-") {
			t.Errorf("%s is left in the driver, and not named in:\n%s", id, printed)
		}
	}
	if m.twice {
		return
	}
	_ = filepath.WalkDir(filepath.Join(dir, "node"), func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			t.Errorf("%s is left on a node", path)
		}
		return nil
	})
	for _, late := range []string{"Left in the driver", "Removed at the end of the run"} {
		if _, after, found := strings.Cut(printed, late); found {
			t.Errorf("want all removed after its case, and found\n%s%s", late, after)
		}
	}
}

// watched is a writer that interrupts the run once a number of cases have ended.
type watched struct {
	interrupt func()
	at        int

	mu      sync.Mutex
	printed strings.Builder
	ended   int
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.printed.Write(p)
	w.ended += len(endedCase.FindAll(p, -1))
	if w.at > 0 && w.ended >= w.at {
		w.at = 0
		w.interrupt()
	}
	return len(p), nil
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.printed.String()
}
