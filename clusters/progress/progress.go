// SPDX-License-Identifier: Apache-2.0

// Package progress shows the user which long step is running, for how long, and the path of its log if it fails. It does
// not know the content of the steps.
package progress

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/csi-topo/csi-topo/internal/screen"
)

// The intervals at which a running step is shown: in a log, where each takes another line, and on a screen, where the
// line changes.
const (
	beatInLog    = 15 * time.Second
	beatOnScreen = time.Second
)

// Reporter prints steps to one writer, and keeps a log file per step. It is safe for concurrent steps.
type Reporter struct {
	logs string

	mu  sync.Mutex
	out io.Writer
	// screen is out if that is a screen, and running holds the steps that it shows, in the order of their start.
	screen  *screen.Screen
	running []*step
}

type step struct {
	title string
	start time.Time
}

// New returns a reporter that prints to out, which may be a screen, and keeps logs in the given directory,
// which is made when the first step needs it.
func New(out io.Writer, logs string) *Reporter {
	r := &Reporter{out: out, logs: logs}
	r.screen, _ = out.(*screen.Screen)
	return r
}

// Printf prints one line.
func (r *Reporter) Printf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = fmt.Fprintf(r.out, format+"\n", args...)
}

// Step runs one step. The step's log is a separate file; an error names the step and that file.
func (r *Reporter) Step(ctx context.Context, title string, run func(ctx context.Context, log io.Writer) error) error {
	log, err := r.open(title)
	if err != nil {
		return fmt.Errorf("%s: opening its log: %w", title, err)
	}
	defer func() { _ = log.Close() }()

	this := &step{title, time.Now()}
	r.begin(this)
	done := make(chan struct{})
	var beating sync.WaitGroup
	beating.Go(func() { r.beat(this, done) })
	err = run(ctx, log)
	close(done)
	beating.Wait()
	r.end(this)

	took := time.Since(this.start)
	if err != nil {
		r.Printf("  ✗ %s failed after %s", title, Seconds(took))
		return fmt.Errorf("%s: %w (log: %s)", title, err, log.Name())
	}
	r.Printf("  ✓ %s (%s)", title, Seconds(took))
	return nil
}

func (r *Reporter) begin(this *step) {
	if r.screen == nil {
		r.Printf("  … %s", this.title)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running = append(r.running, this)
	r.show()
}

func (r *Reporter) end(this *step) {
	if r.screen == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running = slices.DeleteFunc(r.running, func(s *step) bool { return s == this })
	r.show()
}

// show updates the steps on the screen.
func (r *Reporter) show() {
	var running []string
	for _, s := range r.running {
		running = append(running, fmt.Sprintf("%s (%.0fs)", s.title, time.Since(s.start).Seconds()))
	}
	if len(running) == 0 {
		r.screen.Show("")
		return
	}
	r.screen.Show("  … " + strings.Join(running, ", "))
}

// Seconds formats a duration as this package prints it: in whole tenths of seconds.
func Seconds(d time.Duration) string {
	return fmt.Sprintf("%.1fs", d.Seconds())
}

func (r *Reporter) beat(this *step, done <-chan struct{}) {
	every := beatInLog
	if r.screen != nil {
		every = beatOnScreen
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		if r.screen == nil {
			r.Printf("    %s: %s so far", this.title, Seconds(time.Since(this.start).Round(time.Second)))
			continue
		}
		r.mu.Lock()
		r.show()
		r.mu.Unlock()
	}
}

var notFileName = regexp.MustCompile(`[^a-z0-9.]+`)

func (r *Reporter) open(title string) (*os.File, error) {
	if err := os.MkdirAll(r.logs, 0o755); err != nil {
		return nil, err
	}
	name := strings.Trim(notFileName.ReplaceAllString(strings.ToLower(title), "-"), "-")
	return os.Create(filepath.Join(r.logs, name+".log"))
}
