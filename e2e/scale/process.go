// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// patience is the time limit of a run's waits.
const patience = 30 * time.Minute

// process is a running program.
type process struct {
	name    string
	command *exec.Cmd
	log     string
	ended   chan struct{}

	// client reads the metrics at the address.
	client  *http.Client
	metrics string
}

// start starts a program, which is stopped when the run ends.
func (w *world) start(ctx context.Context, name, program string, flags ...string) (*process, error) {
	p := &process{name: name, log: filepath.Join(w.dir, name+".log"), ended: make(chan struct{}), client: http.DefaultClient}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, fmt.Errorf("creating the log of %s: %w", name, err)
	}
	defer func() { _ = log.Close() }()
	p.command = exec.CommandContext(ctx, program, flags...)
	p.command.Env = append(os.Environ(), "NAMESPACE="+namespace, "POD_NAME=scale")
	p.command.Stdout, p.command.Stderr = log, log
	p.command.Cancel = func() error { return p.command.Process.Signal(syscall.SIGTERM) }
	p.command.WaitDelay = 10 * time.Second
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	go func() {
		defer close(p.ended)
		_ = p.command.Wait()
	}()
	w.processes = append(w.processes, p)
	return p, nil
}

// stop ends the program.
func (p *process) stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(p.command.WaitDelay):
		p.kill()
	}
}

// kill ends the program like a crash.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}

// alive returns an error with the end of the log if the program has ended.
func (p *process) alive() error {
	select {
	case <-p.ended:
		log, _ := os.ReadFile(p.log)
		return fmt.Errorf("%s has ended: %s", p.name, log[max(0, len(log)-2000):])
	default:
		return nil
	}
}

// crash kills the program, and the run continues without it.
func (w *world) crash(p *process) {
	p.kill()
	w.processes = slices.DeleteFunc(w.processes, func(other *process) bool { return other == p })
}

// until polls until the condition holds, and returns the duration. It is not an error if the condition does not hold within
// the patience, but it is one if a program ends meanwhile.
func (w *world) until(ctx context.Context, every, patience time.Duration, condition wait.ConditionWithContextFunc) (took time.Duration, held bool, err error) {
	begin := time.Now()
	err = wait.PollUntilContextTimeout(ctx, every, patience, true, func(ctx context.Context) (bool, error) {
		for _, p := range w.processes {
			if err := p.alive(); err != nil {
				return false, err
			}
		}
		return condition(ctx)
	})
	if wait.Interrupted(err) && ctx.Err() == nil {
		return time.Since(begin), false, nil
	}
	return time.Since(begin), err == nil, err
}

// ready waits until the program serves its metrics.
func (w *world) ready(ctx context.Context, p *process) error {
	const patience = 2 * time.Minute
	var last error
	_, held, err := w.until(ctx, 100*time.Millisecond, patience, func(ctx context.Context) (bool, error) {
		_, last = p.read(ctx)
		return last == nil, nil
	})
	if err != nil || held {
		return err
	}
	return errors.Join(fmt.Errorf("%s does not answer after %s", p.name, patience), last)
}

// freeAddress returns an address of this machine that nothing listens on.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String(), nil
}
