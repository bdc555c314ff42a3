// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestARestartByAProgram kills a driver in a separate process, as a vendor's program does.
func TestARestartByAProgram(t *testing.T) {
	dir, restart := startApart(t)

	ended := program(t, "", "spec", "--profile", profileIn(t, dir, restart), "--focus", "^restart_(volume|volumes_at_once|new_ids|creating|node_info)$")

	result := ended.report(t)
	for _, c := range result.Cases {
		if c.Verdict != suite.Passed && c.DecidedBy != suite.ByFilter {
			t.Errorf("case %s: %s %s\n%s", c.ID, c.Verdict, c.Reason, c.Message)
		}
	}
	if result.Summary.Pass == 0 {
		t.Errorf("no case was run\n%s%s", ended.out, ended.errOut)
	}
}

// TestARestartThatDoesNothing checks that no case passes if its driver was never restarted.
func TestARestartThatDoesNothing(t *testing.T) {
	dir, _ := startApart(t)

	ended := program(t, "", "spec", "--profile", profileIn(t, dir, "/bin/true"), "--timeout-restart", "1s", "--focus", "^restart_(volume|node_info)$")

	asked := 0
	for _, c := range ended.report(t).Cases {
		if c.DecidedBy == suite.ByFilter {
			continue
		}
		asked++
		if c.Verdict != suite.Errored || !strings.Contains(c.Message, "is still open") && !strings.Contains(c.Message, "not tried again") {
			t.Errorf("case %s: %s\n%s", c.ID, c.Verdict, c.Message)
		}
	}
	if asked == 0 {
		t.Errorf("no case was run\n%s%s", ended.out, ended.errOut)
	}
}

// startApart starts the driver in a separate process, and returns its directory and the program that restarts it.
func startApart(t *testing.T) (dir, restart string) {
	t.Helper()
	dir = inMemory(t)
	pid := filepath.Join(dir, "pid")
	restart = filepath.Join(t.TempDir(), "restart.sh") // the file system in memory may not allow execution
	script := fmt.Sprintf(`#!/bin/sh
if [ -e %[1]q ]; then kill -9 "$(cat %[1]q)"; fi
%[2]s=1 %[3]s=%[4]q setsid %[5]q </dev/null &
echo $! >%[1]q
`, pid, programVariable, driverVariable, dir, os.Args[0])
	const forOwner = 0o700
	if err := os.WriteFile(restart, []byte(script), forOwner); err != nil {
		t.Fatal(err)
	}
	start := exec.CommandContext(t.Context(), restart)
	if err := start.Run(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		running, err := os.ReadFile(pid)
		if err != nil || exec.Command("kill", "-9", strings.TrimSpace(string(running))).Run() != nil {
			t.Errorf("the driver does not run any more: %v", err)
		}
	})
	return dir, restart
}

// profileIn waits until the driver listens, and writes its profile into its directory.
func profileIn(t *testing.T, dir, restart string) string {
	t.Helper()
	controller, node := filepath.Join(dir, "controller.sock"), filepath.Join(dir, "node-1.sock")
	mustListen(t, controller)
	mustListen(t, node)
	profile := filepath.Join(dir, "profile.yaml")
	text := fmt.Sprintf(`driver: hostpath.topo.csi
volumeBytes: 16777216
fakeNodes: true
restart: [%q]
endpoints: {controller: %q, nodes: [%q]}
`, restart, controller, node)
	const forOwner = 0o600
	if err := os.WriteFile(profile, []byte(text), forOwner); err != nil {
		t.Fatal(err)
	}
	return profile
}

// mustListen waits until a driver answers at the socket.
func mustListen(t *testing.T, socket string) {
	t.Helper()
	const limit = 30 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	conn, err := wire.Dial("unix://" + socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := csi.NewIdentityClient(conn).GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}, grpc.WaitForReady(true)); err != nil {
		t.Fatal(err)
	}
}
