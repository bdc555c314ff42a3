// SPDX-License-Identifier: Apache-2.0

package hook

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

// Restart returns a function that restarts the driver with the profile's program; nil if it has none. The driver that the
// program starts may keep its output open, so the output goes into a file: a pipe would be read until the driver ends.
func Restart(line []string, limits profile.Timeouts) func(context.Context) error {
	if len(line) == 0 {
		return nil
	}
	within := newLimit(limits.Restart, "restart")
	return func(ctx context.Context) error {
		said, err := newPrinted(ctx)
		if err != nil {
			return fmt.Errorf("making a file for the output of the profile's program %q: %w", line, err)
		}
		defer said.close()
		return within.run(ctx, line, func(command *exec.Cmd) { command.Stdout, command.Stderr = said.file, said.file }, true, said)
	}
}

// printed is a file for the output of a program, of which only the end is used. It has no name: it is gone once the last
// process that writes to it ends, even if this process crashes.
type printed struct {
	file *os.File
	stop context.CancelFunc
	over sync.WaitGroup

	mutex  sync.Mutex // guards the following fields
	before foreign.Tail
}

func newPrinted(ctx context.Context) (*printed, error) {
	named, err := os.CreateTemp("", "csi-topo-restart-")
	if err != nil {
		return nil, err
	}
	defer named.Close()
	defer os.Remove(named.Name())
	file, err := os.OpenFile(named.Name(), os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // close ends it
	p := &printed{file: file, stop: stop, before: foreign.Tail{Most: mostSaid}}
	p.over.Go(func() { p.keepSmall(ctx) })
	return p, nil
}

func (p *printed) close() {
	p.stop()
	p.over.Wait()
	_ = p.file.Close() // it was only read
}

// keepSmall empties the file, until ctx ends, whenever it is large: a program that never stops printing would fill the
// disk.
func (p *printed) keepSmall(ctx context.Context) {
	const (
		mostPrinted = 1 << 20 // bytes
		every       = 20 * time.Millisecond
	)
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if info, err := p.file.Stat(); err != nil || info.Size() < mostPrinted {
			continue
		}
		p.mutex.Lock()
		p.take(&p.before)
		_ = p.file.Truncate(0)
		p.mutex.Unlock()
	}
}

// take writes the end of the file to the tail.
func (p *printed) take(into *foreign.Tail) {
	info, err := p.file.Stat()
	if err != nil {
		return
	}
	_, _ = io.Copy(into, io.NewSectionReader(p.file, max(0, info.Size()-mostSaid), mostSaid))
}

// String returns the end of the output.
func (p *printed) String() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.take(&p.before)
	return p.before.String()
}
