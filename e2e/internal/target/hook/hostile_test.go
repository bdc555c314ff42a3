// SPDX-License-Identifier: Apache-2.0

package hook

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// hostile are programs that misbehave. Each writes the id of a process that it leaves behind to the file in its first
// argument.
var hostile = map[string]struct {
	program []string
	// ends says that it ends by itself, fails that it must end in an error, and says is a part of the error.
	ends, fails bool
	says        string
}{
	"hangs":                       {[]string{"sh", "-c", `echo $$ > "$0"; echo waiting >&2; exec sleep 60`}, false, true, "did not end within"},
	"hangs and ignores signals":   {[]string{"sh", "-c", `trap "" TERM INT HUP; echo $$ > "$0"; while :; do sleep 1; done`}, false, true, "did not end within"},
	"prints for ever":             {[]string{"sh", "-c", `echo $$ > "$0"; exec yes`}, false, true, "did not end within"},
	"prints errors for ever":      {[]string{"sh", "-c", `echo $$ > "$0"; exec yes no such node >&2`}, false, true, "no such node"},
	"leaves what has its output":  {[]string{"sh", "-c", `sleep 60 & echo $! > "$0"; echo true`}, true, false, ""},
	"fails with MBs of errors":    {[]string{"sh", "-c", `echo $$ > "$0"; head -c 8000000 /dev/zero | tr '\0' x >&2; echo the end >&2; exit 3`}, true, true, "the end"},
	"fails in escape sequences":   {[]string{"sh", "-c", `echo $$ > "$0"; printf '\033[2J\033]0;title\007gone' >&2; exit 3`}, true, true, `\u001b[2J\u001b]0;title\u0007gone`},
	"hangs in what it has called": {[]string{"sh", "-c", `sleep 60 & echo $! > "$0"; wait`}, false, true, "did not end within"},
}

func TestHostilePrograms(t *testing.T) {
	for name, c := range hostile {
		limits := profile.Timeouts{Query: time.Second, Provision: time.Second, Restart: time.Second}
		if c.ends {
			limits = profile.DefaultTimeouts()
		}
		for hook, run := range map[string]func(ctx context.Context, line []string) error{
			"exists": func(ctx context.Context, line []string) error {
				_, err := Paths(profile.Directories{Root: "/", Make: []string{"true"}, Exists: line}, "", limits).Exists(ctx, "node", "/")
				return err
			},
			"exhaust": func(ctx context.Context, line []string) error {
				return Exhauster(profile.Exhaust{Command: line}, limits).Exhaust(ctx, nil)
			},
			"restart": func(ctx context.Context, line []string) error { return Restart(line, limits)(ctx) },
		} {
			t.Run(name+"/"+hook, func(t *testing.T) {
				t.Parallel()
				left := filepath.Join(t.TempDir(), "pid")
				before, begin := heap(), time.Now()
				err := run(t.Context(), append(c.program[:len(c.program):len(c.program)], left))
				if (err != nil) != c.fails || err != nil && !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v, want an error: %t, that says %q", err, c.fails, c.says)
				}
				if err != nil && len(err.Error()) > 8<<10 {
					t.Errorf("the error has %d bytes: %.200s", len(err.Error()), err.Error())
				}
				if took := time.Since(begin); took > 20*time.Second {
					t.Errorf("it took %s", took)
				}
				if grown := int64(heap()) - int64(before); grown > 64<<20 {
					t.Errorf("%d bytes of memory are kept", grown)
				}
				if hook == "restart" && !c.fails {
					mustRun(t, left) // the driver stays
					return
				}
				mustBeGone(t, left)
			})
		}
	}
}

// TestProgramThatAlwaysHangs checks that such a program is not run forever: a run that waits for it in each case would take
// hours.
func TestProgramThatAlwaysHangs(t *testing.T) {
	started := filepath.Join(t.TempDir(), "started")
	paths := Paths(profile.Directories{Root: "/", Make: []string{"sh", "-c", `echo >> "$0"; exec sleep 60`, started}, Exists: []string{"true"}}, "",
		profile.Timeouts{Query: 100 * time.Millisecond})
	for range 2 * mostHangs {
		if err := paths.Make(t.Context(), "node", "/"); err == nil || !strings.Contains(err.Error(), "raise query in the profile's timeouts") {
			t.Errorf("Make = %v, want an error that says what to do", err)
		}
	}
	if text, err := os.ReadFile(started); err != nil || len(text) > mostHangs {
		t.Errorf("it was started %d times, %v", len(text), err)
	}
}

// TestInterruptedProgram checks that an interrupted program is ended at once.
func TestInterruptedProgram(t *testing.T) {
	left := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	err := Exhauster(profile.Exhaust{Command: append(hostile["hangs in what it has called"].program, left)}, profile.DefaultTimeouts()).Exhaust(ctx, nil)
	if err == nil || strings.Contains(err.Error(), "timeouts") {
		t.Errorf("got %v, want an error that blames no limit of the profile", err)
	}
	mustBeGone(t, left)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// processOf returns the process that the program has left; 0 if it has not left one yet.
func processOf(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// mustRun kills the process, and fails the test unless it runs.
func mustRun(t *testing.T, file string) {
	t.Helper()
	if err := syscall.Kill(processOf(t, file), syscall.SIGKILL); err != nil {
		t.Errorf("what the program has started does not run any more: %v", err)
	}
}

// mustBeGone waits for the process to end, or to be a zombie that another process reaps.
func mustBeGone(t *testing.T, file string) {
	t.Helper()
	pid := processOf(t, file)
	if pid == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		if attempt.Pause(ctx, 20*time.Millisecond) != nil {
			t.Fatalf("process %d is left: %s", pid, stat)
		}
	}
}
