// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// starting is the time limit for a driver to accept calls, and stopping the time limit for it to end.
	starting, stopping = 30 * time.Second, 15 * time.Second
	// betweenStarts is the pause before a driver that has ended is started again.
	betweenStarts = 50 * time.Millisecond
)

// errNotStopped reports that a driver in a separate process did not stop, or did not stop cleanly.
var errNotStopped = errors.New("the driver does not stop properly")

// Process is a driver in a separate process. It is started again when it ends, as the kubelet does.
type Process struct {
	// Command runs Driver.Serve in the directory.
	Command func(dir string) *exec.Cmd
	// Once keeps the driver from being started again.
	Once bool

	ended   atomic.Int32
	mu      sync.Mutex
	current *attempt
}

// Kill kills the process with SIGKILL, if it runs, and returns when it has ended.
func (p *Process) Kill() {
	p.mu.Lock()
	current := p.current
	p.mu.Unlock()
	_ = current.command.Process.Kill() // it may have ended
	<-current.done
}

// Ended returns the number of times that the process has ended unexpectedly.
func (p *Process) Ended() int { return int(p.ended.Load()) }

// supervisor keeps the process running until it is stopped.
type supervisor struct {
	*Process
	dir    string
	served served

	stopped  chan struct{} // is closed when it has to stop
	finished chan struct{} // is closed when no more processes are started
}

// attempt is one start of the process.
type attempt struct {
	command *exec.Cmd
	input   interface{ Close() error }
	ready   chan served // receives the endpoints once it accepts calls
	done    chan struct{}
	err     error // why it ended, once done
}

// keep starts the process and keeps it running. A process that does not start for the first time is given up.
func keep(ctx context.Context, process *Process, dir string) (*supervisor, error) {
	s := &supervisor{Process: process, dir: dir, stopped: make(chan struct{}), finished: make(chan struct{})}
	first, err := s.start()
	if err != nil {
		return nil, err
	}
	limit := time.NewTimer(starting)
	defer limit.Stop()
	select {
	case s.served = <-first.ready:
		go s.run(first)
		return s, nil
	case <-first.done:
		return nil, fmt.Errorf("the driver does not start: %w", first.err)
	case <-limit.C:
		err = fmt.Errorf("the driver does not start: it accepts no calls after %s", starting)
	case <-ctx.Done():
		err = ctx.Err()
	}
	return nil, errors.Join(err, first.kill())
}

// start starts the process once.
func (s *supervisor) start() (*attempt, error) {
	command := s.Command(s.dir)
	input, err := command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the driver: %w", err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the driver: %w", err)
	}
	var said bytes.Buffer
	command.Stderr = &said
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("starting the driver: %w", err)
	}
	a := &attempt{command: command, input: input, ready: make(chan served, 1), done: make(chan struct{})}
	go func() {
		defer close(a.done)
		lines := bufio.NewScanner(output)
		for lines.Scan() {
			var endpoints served
			if json.Unmarshal(lines.Bytes(), &endpoints) == nil && len(a.ready) == 0 {
				a.ready <- endpoints
			}
		}
		if err := command.Wait(); err != nil {
			a.err = fmt.Errorf("%w: %s", err, firstLine(said.String()))
		} else {
			a.err = errors.New("it ended by itself")
		}
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = a
	return a, nil
}

// run restarts the process whenever it ends.
func (s *supervisor) run(current *attempt) {
	defer close(s.finished)
	for {
		select {
		case <-s.stopped:
			return
		case <-current.done:
		}
		s.ended.Add(1)
		if s.Once {
			return
		}
		select {
		case <-s.stopped:
			return
		case <-time.After(betweenStarts):
		}
		again, err := s.start()
		if err != nil {
			return // the machine cannot start any process: the cases find no driver
		}
		current = again
	}
}

// stop ends the process, which must end cleanly.
func (s *supervisor) stop() error {
	close(s.stopped)
	<-s.finished
	s.mu.Lock()
	current := s.current
	s.mu.Unlock()
	select {
	case <-current.done:
		return nil // it had ended before
	default:
	}
	if err := current.command.Process.Signal(syscall.SIGTERM); err != nil {
		return errors.Join(fmt.Errorf("stopping the driver: %w", err), current.kill())
	}
	limit := time.NewTimer(stopping)
	defer limit.Stop()
	select {
	case <-current.done:
		if state := current.command.ProcessState; state == nil || !state.Success() {
			return fmt.Errorf("%w: %w", errNotStopped, current.err)
		}
		return nil
	case <-limit.C:
		return errors.Join(fmt.Errorf("%w: its process runs %s after SIGTERM", errNotStopped, stopping), current.kill())
	}
}

func (a *attempt) kill() error {
	err := errors.Join(a.command.Process.Kill(), a.input.Close())
	<-a.done
	return err
}

// firstLine returns the first line of a panic, or of an error.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
