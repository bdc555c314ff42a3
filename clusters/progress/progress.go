// Package progress tells a person which long step is running, for how long, and
// where its log is when it fails. It knows nothing of what the steps do.
package progress

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// beat is how often a running step says that it still runs.
const beat = 15 * time.Second

// Reporter prints steps to one writer, and keeps a log file per step. It is safe
// for steps that run side by side.
type Reporter struct {
	logs string

	mu  sync.Mutex
	out io.Writer
}

// New returns a reporter that prints to out and keeps logs in the given directory,
// which is made when the first step needs it.
func New(out io.Writer, logs string) *Reporter {
	return &Reporter{out: out, logs: logs}
}

// Printf prints one line.
func (r *Reporter) Printf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = fmt.Fprintf(r.out, format+"\n", args...)
}

// Step runs one step. What the step writes to log goes to a file of its own; an
// error comes back naming the step and that file.
func (r *Reporter) Step(ctx context.Context, title string, run func(ctx context.Context, log io.Writer) error) error {
	log, err := r.open(title)
	if err != nil {
		return fmt.Errorf("%s: opening its log: %w", title, err)
	}
	defer func() { _ = log.Close() }()

	start := time.Now()
	r.Printf("  … %s", title)
	done := make(chan struct{})
	var beating sync.WaitGroup
	beating.Go(func() { r.beat(title, start, done) })
	err = run(ctx, log)
	close(done)
	beating.Wait()

	took := time.Since(start)
	if err != nil {
		r.Printf("  ✗ %s failed after %s", title, Seconds(took))
		return fmt.Errorf("%s: %w (log: %s)", title, err, log.Name())
	}
	r.Printf("  ✓ %s (%s)", title, Seconds(took))
	return nil
}

// Seconds is how this package prints a duration: whole tenths of seconds.
func Seconds(d time.Duration) string {
	return fmt.Sprintf("%.1fs", d.Seconds())
}

func (r *Reporter) beat(title string, start time.Time, done <-chan struct{}) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
			r.Printf("    %s: %s so far", title, Seconds(time.Since(start).Round(time.Second)))
		}
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
