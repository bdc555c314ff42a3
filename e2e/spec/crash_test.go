// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// servesIn is the variable with the directory in which this program is a driver.
const servesIn = "CSI_TOPO_TEST_SERVES_IN"

// waiters is the number of tests that run at once for each processor.
const waiters = 2

func TestMain(m *testing.M) {
	if dir := os.Getenv(servesIn); dir != "" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		err := mutation.Driver{}.Serve(ctx, dir, os.Stdin, os.Stdout, os.Exit)
		stop()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// Tests of drivers that restart, die or do not answer mostly wait: more of them run at once than there are processors.
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(waiters*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// process returns a driver in a process of this program.
func process(once bool) *mutation.Process {
	return &mutation.Process{Once: once, Command: func(dir string) *exec.Cmd {
		command := exec.Command(os.Args[0]) //nolint:noctx // the supervisor ends it
		command.Env = append(os.Environ(), servesIn+"="+dir)
		return command
	}}
}

// atOnce runs eight cases concurrently, which excludes exact capacity.
func atOnce(t *harness.Target) {
	const cases = 8
	t.Parallel, t.Profile.Capacity, t.Profile.Exclusive = cases, profile.AtLeast, false
}

// killedBy returns a fault that ends the driver's process during the calls, which then break like all others under way. The
// driver has carried the call out by then, and its answer is lost.
func killedBy(p *mutation.Process, kills func(request proto.Message) bool) mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		if !kills(call.Request) {
			return call.Perform(ctx)
		}
		response, err := call.Perform(ctx)
		go p.Kill()
		for err == nil {
			response, err = call.Perform(ctx)
		}
		return response, err
	})
}

// asks reports whether the request creates a volume of the case.
func asks(caseID string) func(proto.Message) bool {
	named := regexp.MustCompile("-test-" + strings.ReplaceAll(caseID, "_", "-") + "-[0-9]+$")
	return func(request proto.Message) bool {
		r, is := request.(*csi.CreateVolumeRequest)
		return is && named.MatchString(r.GetName())
	}
}

// some matches cases that make volumes and publish them.
const some = "^(size_|stage_|publish_|attach_|detach_|delete_|validate_|name_|run_)"

// TestACrashIsChargedToItsCall checks that only the case whose call the driver dies of fails.
func TestACrashIsChargedToItsCall(t *testing.T) {
	t.Parallel()
	const culprit = "size_omitted"
	for _, parallel := range []bool{false, true} {
		t.Run(fmt.Sprintf("side by side %t", parallel), func(t *testing.T) {
			t.Parallel()
			p := process(false)
			driver := mutation.Driver{Focus: some, Process: p, Fault: killedBy(p, asks(culprit))}
			if parallel {
				driver.Target = atOnce
			}
			result := spectest.Run(t, spec.Areas(), driver)
			wantOnly(t, result, culprit)
			if p.Ended() < 2 {
				t.Errorf("the process ended %d times, want once, and again when the call was repeated", p.Ended())
			}
			t.Logf("%+v, the process ended %d times", result.Summary, p.Ended())
		})
	}
}

// wantOnly checks that the case fails because the driver died of it, and that no other case reports a fault of the driver.
func wantOnly(t *testing.T, result *report.ConformanceReport, failing string) {
	t.Helper()
	for _, c := range result.Cases {
		switch {
		case c.ID == failing:
			if c.Verdict != suite.Failed || !slices.Equal(c.Blamed, notAnswered) {
				t.Errorf("case %s: %s %v %s", c.ID, c.Verdict, c.Blamed, c.Message)
			}
		case c.Verdict != suite.Passed && c.Verdict != suite.Skipped:
			t.Errorf("case %s: %s %v %s\n%s", c.ID, c.Verdict, c.Blamed, c.Reason, c.Message)
		}
	}
	if result.Summary.Pass == 0 {
		t.Errorf("got %+v, want cases that pass", result.Summary)
	}
}

// TestACrashForGood checks that, if nothing restarts the driver, a case that only happened to call it does not fail, unless
// it was the only caller.
func TestACrashForGood(t *testing.T) {
	t.Parallel()
	for _, parallel := range []bool{false, true} {
		t.Run(fmt.Sprintf("side by side %t", parallel), func(t *testing.T) {
			t.Parallel()
			p := process(true)
			driver := mutation.Driver{Focus: some, Process: p, Fault: killedBy(p, asks("stage_again"))}
			if parallel {
				driver.Target = atOnce
			}
			result := spectest.Run(t, spec.Areas(), driver)
			failed := map[string]bool{}
			for _, c := range result.Cases {
				if c.Verdict == suite.Failed {
					failed[c.ID] = true
				}
			}
			if !failed["run_stays_up"] || failed["stage_again"] == parallel && len(failed) > 2 || len(failed) > 2 || len(failed) == 2 && !failed["stage_again"] {
				t.Errorf("got %v failed, want the case on the whole run, and no other but the one that the driver died of", failed)
			}
			if first := report.Findings(result, suite.Failed)[0]; first.Shown.ID != "run_stays_up" || !strings.Contains(first.Shown.Message, "systemd") {
				t.Errorf("got %+v first, want the end of the driver, and what to do about it", first.Shown)
			}
		})
	}
}

// TestTheRestartOfTheProfileIsUsedAfterACrash checks that a driver that the profile can restart is restarted after it died,
// and that only the case that it died of notices.
func TestTheRestartOfTheProfileIsUsedAfterACrash(t *testing.T) {
	t.Parallel()
	restarts := 0
	result := spectest.Run(t, spec.Areas(), mutation.Driver{
		Focus: some,
		Running: func(driver *embedded.Driver, target *harness.Target) {
			target.Controller = &dyingOnce{ClientConnInterface: target.Controller, of: asks("size_omitted"), die: sync.OnceFunc(func() { _ = driver.Stop() })}
		},
		Restarting: func(ctx context.Context, driver *mutation.Restartable) error {
			restarts++
			return errors.Join(driver.Stop(), driver.Start(ctx))
		},
	})
	for _, c := range result.Cases {
		if broken := c.ID == "size_omitted"; broken != (c.Verdict == suite.Warned) || !broken && c.Verdict != suite.Passed && c.Verdict != suite.Skipped {
			t.Errorf("case %s: %s %v %s\n%s", c.ID, c.Verdict, c.Blamed, c.Reason, c.Message)
		}
	}
	if restarts != 1 {
		t.Errorf("the driver was restarted %d times, want once", restarts)
	}
}

// dyingOnce is the controller of a driver that ends during the first of some calls.
type dyingOnce struct {
	grpc.ClientConnInterface
	of   func(proto.Message) bool
	die  func()
	died bool
}

// Invoke performs a call, unless the driver ends during it.
func (d *dyingOnce) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	if !d.died && d.of(request.(proto.Message)) {
		d.died = true
		d.die()
		return status.Error(codes.Unavailable, "error reading from server: EOF")
	}
	return d.ClientConnInterface.Invoke(ctx, method, request, response, opts...)
}
