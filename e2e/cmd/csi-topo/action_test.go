// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/csi-topo/csi-topo/driver/embedded"
)

// driverAlone serves a driver in the directory until SIGTERM.
func driverAlone(dir string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	driver, err := embedded.Start(ctx, embedded.Options{Dir: dir})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	<-ctx.Done()
	if err := driver.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// action runs the GitHub Action's script with these inputs, and returns its exit status and its output. The program is this
// test binary.
func action(t *testing.T, inputs ...string) (exit int, printed string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "../../../scripts/action.sh")
	command.Env = append(append(os.Environ(), programVariable+"=1", "CSI_TOPO="+os.Args[0]), inputs...)
	out, err := command.CombinedOutput()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), string(out)
}

// TestActionStartsAndJudgesADriver checks that the Action's script, with a command that starts a driver, judges the driver,
// summarizes the report, and ends the driver.
func TestActionStartsAndJudgesADriver(t *testing.T) {
	sockets, err := os.MkdirTemp("", "action") // a short path, for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(sockets) })
	reports := filepath.Join(t.TempDir(), "a report")
	summary := filepath.Join(t.TempDir(), "summary")
	var nodes []string
	for n := 1; n <= 4; n++ {
		nodes = append(nodes, filepath.Join(sockets, fmt.Sprintf("node-%d.sock", n)))
	}
	exit, printed := action(t,
		"START=exec env "+driverVariable+"="+sockets+" "+os.Args[0],
		"ENDPOINT="+filepath.Join(sockets, "controller.sock"), "NODE_ENDPOINTS="+strings.Join(nodes, "\n"),
		"ARGS=--profile hostpath-topo --focus '^(T-EQ-1|T-NR)$' --csi-sanity first", "REPORT_DIR="+reports, "GITHUB_STEP_SUMMARY="+summary)
	if exit != 0 {
		t.Errorf("exit status %d: %s", exit, printed)
	}
	summed, err := os.ReadFile(summary)
	if err != nil || !bytes.Contains(summed, []byte("T-EQ-1")) {
		t.Errorf("the summary is %q, %v", summed, err)
	}
	if left, err := filepath.Glob(filepath.Join(sockets, "*.sock")); err != nil || len(left) > 0 {
		t.Errorf("want the driver ended, found %v, %v", left, err)
	}
}

func TestActionRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		inputs []string
		says   string
	}{
		"a tier that there is not":         {[]string{"TIER=both"}, "is spec or cluster, found 'both'"},
		"a time that is no number":         {[]string{"ENDPOINT=/csi/csi.sock", "START_WITHIN=2m"}, "is a whole number of seconds, such as 120, found '2m'"},
		"no endpoint":                      {nil, "wants the input endpoint"},
		"nodes for the cluster tier":       {[]string{"TIER=cluster", "NODE_ENDPOINTS=/csi/node.sock"}, "the input node-endpoints is for the tier spec"},
		"a Kubernetes minor for sockets":   {[]string{"ENDPOINT=/csi/csi.sock", "KUBERNETES=1.36"}, "the input kubernetes is for the tier cluster"},
		"a driver whose command has ended": {[]string{"ENDPOINT=/nowhere.sock", "START=echo no such driver; exit 1"}, "no such driver"},
		"a driver that never listens":      {[]string{"ENDPOINT=/nowhere.sock", "START=exec tail -f /dev/null", "START_WITHIN=1"}, "within 1 seconds"},
	} {
		t.Run(name, func(t *testing.T) {
			exit, printed := action(t, append(test.inputs, "REPORT_DIR="+t.TempDir())...)
			if exit != 2 || !strings.Contains(printed, test.says) {
				t.Errorf("exit status %d, want 2 and %q: %s", exit, test.says, printed)
			}
		})
	}
}
