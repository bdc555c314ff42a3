// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The environment variables by which a test starts itself as the process that is killed.
const (
	envCall = "KILLED_TEST_CALL" // the manner and the call, by name
	envAt   = "KILLED_TEST_AT"   // at which step, before and after counted
	envData = "KILLED_TEST_DATA_DIR"
	envNode = "KILLED_TEST_NODE_DIR"
	envID   = "KILLED_TEST_VOLUME"
)

// TestMain is the killed process when it is started as such, and the tests otherwise.
func TestMain(m *testing.M) {
	if os.Getenv(envCall) != "" {
		if err := beKilled(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// beKilled makes one call of the life, and kills itself at one of its steps.
func beKilled() error {
	at, err := strconv.Atoi(os.Getenv(envAt))
	if err != nil {
		return err
	}
	watch := func(string, bool) error {
		if at--; at < 0 {
			return unix.Kill(os.Getpid(), unix.SIGKILL)
		}
		return nil
	}
	name, call, _ := strings.Cut(os.Getenv(envCall), " ")
	m, n := manners()[name], os.Getenv(envNode)
	for _, c := range m.life() {
		if c.name == call {
			return c.call(context.Background(), newMounter(m.kind, os.Getenv(envData), watch), os.Getenv(envID), filepath.Join(n, "staging"), filepath.Join(n, "target"))
		}
	}
	return errors.New("there is no such call")
}

// kill makes the call in a process that is killed at that step, and tells whether it
// was: a call that has fewer steps ends by itself.
func (v onNode) kill(t *testing.T, manner, call string, at int) (killed bool) {
	t.Helper()
	process := exec.CommandContext(t.Context(), os.Args[0])
	process.Env = append(os.Environ(), envCall+"="+manner+" "+call, envAt+"="+strconv.Itoa(at), envData+"="+v.data, envNode+"="+v.dir, envID+"="+v.id)
	output, err := process.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == unix.SIGKILL {
		return true
	}
	if err != nil {
		t.Fatalf("the process that was to be killed in %s at %d said %v: %s", call, at, err, output)
	}
	return false
}

// A process that is killed before or after any step of any call leaves the volume
// so that the next one makes the same call again, and goes on; in the end nothing
// is mounted, attached or left at the paths.
func TestMountersAfterBeingKilledAtAnyStep(t *testing.T) {
	requireLoopDevices(t)
	for name, m := range manners() {
		for number, c := range m.life() {
			if m.grown && c.name != "stage" {
				continue // as with the others
			}
			t.Run(name+" "+c.name, func(t *testing.T) {
				t.Parallel()
				for at, killed := 0, true; killed; at++ {
					v := newOnNode(t, m)
					v.live(t, m.life()[:number], "nothing")
					killed = v.kill(t, name, c.name, at)
					after := fmt.Sprintf("being killed at step %d", at)
					v.live(t, m.life()[number:], after)
					v.wantGone(t, after)
				}
			})
		}
	}
}

// A stage that was killed and is not repeated is undone by unstage alone.
func TestUnstageAfterAStageThatWasKilled(t *testing.T) {
	requireLoopDevices(t)
	for name, m := range manners() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for at, killed := 0, true; killed; at++ {
				v := newOnNode(t, m)
				killed = v.kill(t, name, "stage", at)
				after := fmt.Sprintf("being killed at step %d", at)
				v.live(t, m.life()[len(m.life())-1:], after)
				v.wantGone(t, after)
			}
		})
	}
}

// A step that fails makes the call fail, and the next one goes on.
func TestMountersAfterAFailureAtAnyStep(t *testing.T) {
	requireLoopDevices(t)
	for name, m := range manners() {
		for number, c := range m.life() {
			if m.grown && c.name != "stage" {
				continue // as with the others
			}
			t.Run(name+" "+c.name, func(t *testing.T) {
				t.Parallel()
				for at := 0; ; at++ {
					v := newOnNode(t, m)
					v.live(t, m.life()[:number], "nothing")
					watch, failed := failing(at, syscall.EIO)
					err := c.call(t.Context(), v.watched(watch), v.id, v.staging(), v.target())
					after := fmt.Sprintf("a failure at %q", failed())
					if failed() != "" {
						wantError(t, after, err, syscall.EIO)
					}
					v.live(t, m.life()[number:], after)
					v.wantGone(t, after)
					if failed() == "" {
						return
					}
				}
			})
		}
	}
}
