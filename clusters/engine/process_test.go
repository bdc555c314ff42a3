// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestStartedFor(t *testing.T) {
	for _, test := range []struct {
		name  string
		given string
		want  bool
	}{
		{"the daemon", "dockerd\x00--config-file\x00/run/x/daemon.json\x00", true},
		{"the daemon by its path", "/usr/sbin/dockerd\x00--config-file\x00/run/x/daemon.json\x00", true},
		{"another daemon", "dockerd\x00--config-file\x00/run/xy/daemon.json\x00", false},
		{"the host's daemon", "dockerd\x00-H\x00fd://\x00", false},
		{"somebody who looks at it", "less\x00/run/x/daemon.json\x00", false},
		{"a process that ended", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := isStartedFor([]byte(test.given), "dockerd", "/run/x"); got != test.want {
				t.Errorf("startedFor(%q) = %v, want %v", test.given, got, test.want)
			}
		})
	}
}

func TestTerminate(t *testing.T) {
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Skip("processes are found by /proc")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "x")
	if err := os.WriteFile(file, []byte("runs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), "tail", "-f", file)
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	// Start returns during the child's execve, before the new program has its command line: only the program's output shows
	// that it has one.
	if line, err := bufio.NewReader(output).ReadString('\n'); err != nil || line != "runs\n" {
		t.Fatalf("tail printed %q: %v", line, err)
	}
	ended := make(chan struct{})
	go func() {
		_ = child.Wait() // returns an error, because the process was killed
		close(ended)
	}()
	if got := processesOf("tail", dir); !slices.Equal(got, []int{child.Process.Pid}) {
		t.Fatalf("processesOf = %v, want only %d", got, child.Process.Pid)
	}
	if err := terminate(t.Context(), child.Process.Pid, "tail", dir); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(termTimeout):
		t.Fatal("terminate returned before the process ended")
	}
	if got := processesOf("tail", dir); len(got) != 0 {
		t.Errorf("processesOf = %v after the end", got)
	}
}
