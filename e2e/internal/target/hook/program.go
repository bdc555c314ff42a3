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
	// mostSaid is the number of bytes that are kept of a program's error output: the last ones.
	mostSaid = 4 << 10
	// mostRead is the number of bytes that are kept of a program's answer: the first ones.
	mostRead = 64 << 10
	// lingering is the time to wait for the output of a program that has ended, while another process still holds it.
	lingering = time.Second
	// mostHangs is the number of times in a row that a program may exceed its limit before it is not run again.
	mostHangs = 3
)

// limit is the time limit of a program, with the field that raises it.
type limit struct {
	time.Duration
	// field is the field's name in the profile's timeouts.
	field string
	// hangs counts the times in a row that programs with the limit did not end.
	hangs *atomic.Int32
}

func newLimit(d time.Duration, field string) limit { return limit{d, field, &atomic.Int32{}} }

// run runs the command in its own process group until the limit; unless stays is true, the processes that it has started
// end with it. said is the command's output about its failure.
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
		_ = endGroup() // the group is gone if it has no process left
	}
	late := limited.Err() != nil && ctx.Err() == nil
	if !late {
		l.hangs.Store(0)
	}
	switch {
	case err == nil || errors.Is(err, exec.ErrWaitDelay): // processes that it has started may hold its output
		return nil
	case late:
		l.hangs.Add(1)
		return fmt.Errorf("the profile's program %q did not end within %s, and was ended; if it needs longer, raise %s in the profile's timeouts: %s",
			command, l.Duration, l.field, said)
	default:
		return fmt.Errorf("the profile's program %q failed: %w: %s", command, err, said)
	}
}

// program is one of the profile's programs, with its standard input and its additional environment variables.
type program struct {
	command     []string
	environment []string
	input       []byte
}

// run runs the program and returns its output, up to the given number of bytes.
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

// Write keeps the bytes that fit.
func (b *beginning) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(len(p), b.most-len(b.kept))]...)
	return len(p), nil
}
