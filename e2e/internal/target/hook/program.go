// SPDX-License-Identifier: Apache-2.0

package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/csi-topo/csi-topo/internal/foreign"
)

const (
	// mostSaid is how many bytes are kept of what a program prints to say why it failed: the last ones.
	mostSaid = 4 << 10
	// mostRead is how many bytes are kept of what a program answers: the first ones.
	mostRead = 64 << 10
	// lingering is how long the output of a program that has ended is waited for where another process still holds it.
	lingering = time.Second
	// mostHangs is how many times in a row a program may not end within its limit until it is not run again.
	mostHangs = 3
)

// limit is how long a program may take, and what raises it.
type limit struct {
	time.Duration
	// field is that of the profile's timeouts.
	field string
	// hangs are the times in a row that programs with the limit did not end.
	hangs *atomic.Int32
}

func newLimit(d time.Duration, field string) limit { return limit{d, field, &atomic.Int32{}} }

// run runs the command in a process group of its own, for as long as the limit lets it; what it has started ends with it,
// unless it stays. said is what the command printed to tell why it failed.
func (l limit) run(ctx context.Context, command []string, configure func(*exec.Cmd), stays bool, said fmt.Stringer) error {
	if l.hangs.Load() >= mostHangs {
		return fmt.Errorf("the profile's program %q is not run again: %d times in a row, it or another of the profile's programs did not end within %s; if it needs longer, raise %s in the profile's timeouts",
			command, mostHangs, l.Duration, l.field)
	}
	limited, cancel := context.WithTimeout(ctx, l.Duration)
	defer cancel()
	program := exec.CommandContext(limited, command[0], command[1:]...)
	configure(program)
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	program.WaitDelay = lingering
	endGroup := func() error { return syscall.Kill(-program.Process.Pid, syscall.SIGKILL) }
	program.Cancel = endGroup
	err := program.Run()
	if program.Process != nil && !stays {
		_ = endGroup() // it is gone where nothing is left of it
	}
	late := limited.Err() != nil && ctx.Err() == nil
	if !late {
		l.hangs.Store(0)
	}
	switch {
	case err == nil || errors.Is(err, exec.ErrWaitDelay): // what it has started may hold its output
		return nil
	case late:
		l.hangs.Add(1)
		return fmt.Errorf("the profile's program %q did not end within %s, and was ended; if it needs longer, raise %s in the profile's timeouts: %s",
			command, l.Duration, l.field, said)
	default:
		return fmt.Errorf("the profile's program %q failed: %w: %s", command, err, said)
	}
}

// program is one of the profile's, with the variables that it gets besides those of this process, and its standard input.
type program struct {
	command     []string
	environment []string
	input       []byte
}

// run runs the program and returns what it printed, as much of it as is asked for.
func (p program) run(ctx context.Context, within limit, most int, arguments ...string) ([]byte, error) {
	out, errOut := &beginning{most: most}, &foreign.Tail{Most: mostSaid}
	err := within.run(ctx, append(p.command[:len(p.command):len(p.command)], arguments...), func(command *exec.Cmd) {
		command.Env = append(os.Environ(), p.environment...)
		command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(p.input), out, errOut
	}, false, errOut)
	if err != nil {
		return nil, err
	}
	return out.kept, nil
}

// beginning keeps the first bytes that are written to it.
type beginning struct {
	most int
	kept []byte
}

// Write keeps the bytes for which there is room.
func (b *beginning) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(len(p), b.most-len(b.kept))]...)
	return len(p), nil
}
