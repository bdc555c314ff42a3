// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/internal/screen"
)

// progress shows the progress of a run, and prints a line for each case that did not pass.
type progress struct {
	// screen is out if that is a screen, which shows the progress. Otherwise a line of progress is printed after each
	// interval every without output.
	screen *screen.Screen
	every  time.Duration
	// verbose prints a line for each case, and not only for those that did not pass.
	verbose bool
	all     int

	mutex   sync.Mutex // guards the following fields, and out
	out     io.Writer
	began   time.Time
	ended   int
	running []string  // ids, in the order in which they began
	leftOut string    // why cases were not run, as last printed
	printed time.Time // when the last line was
}

func newProgress(o suite.Options, began time.Time, all int) *progress {
	p := &progress{out: o.Out, verbose: o.Verbose, every: o.ProgressEvery, all: all, began: began}
	p.screen, _ = o.Out.(*screen.Screen)
	return p
}

// start shows the progress continuously, or prints it when nothing else was printed for a while. stop ends this, and
// returns once the last line is printed.
func (p *progress) start(ctx context.Context, began time.Time) (stop func()) {
	p.began = began
	if p.every <= 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // an interrupted run continues while it cleans up
	over := make(chan struct{})
	ticker := time.NewTicker(p.every)
	go func() {
		defer close(over)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-ticker.C:
				p.tick(now)
			}
		}
	}()
	return func() {
		cancel()
		<-over
		if p.screen != nil {
			p.screen.Show("")
		}
	}
}

func (p *progress) tick(now time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch {
	case p.screen != nil:
		p.screen.Show(p.line(now))
	case now.Sub(p.printed) >= p.every:
		p.print(now, p.line(now))
	}
}

func (p *progress) print(now time.Time, line string) {
	p.printed = now
	fmt.Fprintln(p.out, line)
}

// line returns a line with the progress, the running cases and, once half of the cases have ended, an estimate of the
// total time.
func (p *progress) line(now time.Time) string {
	took, expected := now.Sub(p.began), ""
	if p.ended > 0 && 2*p.ended >= p.all { // the first cases wait longer than the others
		all := took * time.Duration(p.all) / time.Duration(p.ended)
		expected = fmt.Sprintf(" of about %.0fs", all.Seconds())
	}
	return fmt.Sprintf("%5.0fs%s  %s  running %s", took.Seconds(), expected, p.count(), strings.Join(p.running, ", "))
}

// count returns the number of ended cases, and of all.
func (p *progress) count() string {
	return fmt.Sprintf("%*d/%d", len(fmt.Sprint(p.all)), p.ended, p.all)
}

// Begin records the start of a case.
func (p *progress) Begin(id string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.running = append(p.running, id)
}

// End counts the case, and prints a line for it unless it passed or was skipped.
func (p *progress) End(r suite.Result) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.running = slices.DeleteFunc(p.running, func(id string) bool { return id == r.ID })
	p.ended++
	now := time.Now()
	took := now.Sub(p.began).Seconds()
	switch {
	case r.Reason == suite.NotRun:
		if r.Message != p.leftOut { // once for all cases that do not run for this reason
			p.leftOut = r.Message
			p.print(now, fmt.Sprintf("%5.0fs  %s  cases are no longer run: %s", took, p.count(), r.Message))
		}
	case p.verbose || r.Verdict != suite.Passed && r.Verdict != suite.Skipped:
		p.print(now, fmt.Sprintf("%5.0fs  %s  %-5s  %s %s  (%.2fs)", took, p.count(), r.Verdict, r.ID, r.Text, r.Took.Seconds()))
	}
}
