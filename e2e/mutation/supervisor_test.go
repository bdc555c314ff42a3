// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// servesIn is the environment variable with the directory in which this program serves
// a driver.
const servesIn = "CSI_TOPO_TEST_SERVES_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(servesIn); dir != "" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		err := Driver{}.Serve(ctx, dir, os.Stdin, os.Stdout, os.Exit)
		stop()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serving returns a Process that runs this program, and sets last to the most recent command.
func serving(last **exec.Cmd) *Process {
	return &Process{Command: func(dir string) *exec.Cmd {
		*last = exec.Command(os.Args[0]) //nolint:noctx // the supervisor ends it
		(*last).Env = append(os.Environ(), servesIn+"="+dir)
		return *last
	}}
}

// TestTheSupervisorStartsADriverAgain checks that a driver whose process ends is restarted, and answers at the same socket.
func TestTheSupervisorStartsADriverAgain(t *testing.T) {
	var last *exec.Cmd
	process := serving(&last)
	started, err := Driver{Process: process}.start(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	answers := func() {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), starting)
		defer cancel()
		for _, endpoint := range append([]grpc.ClientConnInterface{started.target.Controller}, started.nodes...) {
			info, err := csi.NewIdentityClient(endpoint).GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}, grpc.WaitForReady(true))
			if err != nil || info.GetName() == "" {
				t.Errorf("got %v and %v, want the name of the driver", info, err)
			}
		}
	}
	answers()
	if err := last.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := wait.PollUntilContextTimeout(t.Context(), time.Millisecond, starting, true, func(context.Context) (bool, error) {
		return process.Ended() > 0, nil
	}); err != nil {
		t.Fatal(err)
	}
	answers()
	if process.Ended() != 1 {
		t.Errorf("the process ended %d times, want once", process.Ended())
	}
	if err := started.stop(); err != nil {
		t.Error(err)
	}
	if process.Ended() != 1 {
		t.Errorf("the process that was stopped counts as one that ended")
	}
}

func TestTheSupervisorGivesUpADriverThatDoesNotStart(t *testing.T) {
	process := &Process{Command: func(string) *exec.Cmd {
		return exec.Command("sh", "-c", "echo no such pool >&2; exit 3") //nolint:noctx // it ends
	}}
	if _, err := keep(t.Context(), process, t.TempDir()); err == nil || !strings.Contains(err.Error(), "does not start") || !strings.Contains(err.Error(), "no such pool") {
		t.Errorf("got %v, want that it does not start, and why", err)
	}
}

// TestADriverEndsWithItsSupervisor checks that a driver ends with its supervisor: nothing else would end a driver that
// hangs.
func TestADriverEndsWithItsSupervisor(t *testing.T) {
	ended := make(chan int, 1)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	dir, err := os.MkdirTemp("", "serve") // a short path, because it contains sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	go func() {
		served <- Driver{}.Serve(ctx, dir, strings.NewReader(""), &strings.Builder{}, func(code int) { ended <- code })
	}()
	if code := <-ended; code != 1 {
		t.Errorf("it ends with %d, want 1", code)
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestNobodyLooksIntoAnotherProcess checks that a driver in another process cannot be accessed.
func TestNobodyLooksIntoAnotherProcess(t *testing.T) {
	var last *exec.Cmd
	m := Driver{Process: serving(&last), Running: func(_ *embedded.Driver, _ *harness.Target) {}}
	if _, err := m.start(t.Context(), 1); err == nil {
		t.Error("got no error")
	}
}
