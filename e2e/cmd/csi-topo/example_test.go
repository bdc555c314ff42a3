// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
)

// example runs the go command in the example module of a vendor, on the driver at the endpoints, and returns its exit
// status and its output.
func example(t *testing.T, endpoints []string, arguments ...string) (exit int, printed string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", arguments...)
	command.Dir = "../../example"
	command.Env = append(os.Environ(), "CSI_ENDPOINT="+endpoints[0], "CSI_NODE_ENDPOINTS="+strings.Join(endpoints[1:], " "), "KUBECONFIG=",
		"TMPDIR="+inMemory(t), "GOTMPDIR="+t.TempDir())
	out, err := command.CombinedOutput()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), string(out)
}

// TestExampleOfALibrary runs the module of e2e/example, by go test and by the ginkgo command, and checks that its tests
// pass on a correct driver, and fail on one that ignores accessibility_requirements. The drivers run in this process, and
// the tests in separate ones.
func TestExampleOfALibrary(t *testing.T) {
	t.Parallel()
	driver, _ := elsewhere(t)
	endpoints := []string{driver.Controller}
	for _, node := range driver.Nodes {
		endpoints = append(endpoints, node.Endpoint)
	}
	wrong := append([]string{between(t, driver.Controller, withoutTopology)}, endpoints[1:]...)
	goTest := func(arguments ...string) []string {
		return append([]string{"test", "-count=1", "-vet=off", "-v"}, arguments...)
	}
	for _, c := range []struct {
		name      string
		endpoints []string
		arguments []string
		exit      int
		want      []string
	}{
		{"go test, right driver", endpoints, goTest("./gotest"), 0, []string{"--- PASS: TestDriver/T-EQ-1 ", "--- PASS: TestDriver/sanity_4_001 ", "--- SKIP: TestDriver/publish_mount_group "}},
		{"go test, one case", endpoints, goTest("./gotest", "-run", "TestDriver/T-EQ-1$"), 0, []string{"csi-topo spec: 1 of ", "--- PASS: TestDriver/T-EQ-1 "}},
		{"go test, twice", endpoints, []string{"test", "-count=2", "-v", "./gotest", "-run", "TestDriver/(T-EQ-1|sanity)$"}, 0, []string{"--- PASS: TestDriver/T-EQ-1 ", "Ginkgo refuses the flags -count and -parallel"}},
		{"go test, wrong driver", wrong, goTest("./gotest", "-run", "TestDriver/(T-EQ-1F|identity_name)$"), 1, []string{"--- FAIL: TestDriver/T-EQ-1F ", "contradicts TR-", "--- PASS: TestDriver/identity_name "}},
		{"Ginkgo, right driver", endpoints, goTest("./ginkgo", "-ginkgo.no-color", "-ginkgo.label-filter=!csi-sanity && !/^case:combinations_/"), 0, []string{"| 0 Failed |"}},
		{"the ginkgo command, right driver", endpoints, []string{"run", "github.com/onsi/ginkgo/v2/ginkgo", "--no-color", "--label-filter=req:TR-07 || case:sanity_1_001", "./ginkgo"}, 0, []string{"| 0 Failed |", "Test Suite Passed"}},
		{"Ginkgo, wrong driver", wrong, goTest("./ginkgo", "-ginkgo.no-color", "-ginkgo.label-filter=case:T-EQ-1F"), 1, []string{"[FAIL] ", "T-EQ-1F"}},
		{"cluster tier without one", endpoints, goTest("./cluster"), 0, []string{"KUBECONFIG is not set"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			exit, printed := example(t, c.endpoints, c.arguments...)
			if exit != c.exit {
				t.Errorf("exit status %d, want %d", exit, c.exit)
			}
			for _, want := range c.want {
				if !strings.Contains(printed, want) {
					t.Errorf("want %q", want)
				}
			}
			if t.Failed() {
				t.Log(printed)
			}
		})
	}
	if left := driver.Volumes.IDs(); len(left) > 0 {
		t.Errorf("volumes %q are left", left)
	}
}

// withoutTopology answers like a driver that ignores accessibility_requirements.
func withoutTopology(_ context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error) {
	if r, creates := request.(*csi.CreateVolumeRequest); creates {
		r.AccessibilityRequirements = nil
	}
	return perform()
}
