// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/profile/schema"
	"github.com/csi-topo/csi-topo/e2e/report"
)

// TestReadmeCommands runs the commands with which the README, and what it leads to, says that a driver is judged, on a
// driver elsewhere where they name endpoints, and counts the cases that it says make e2e runs.
func TestReadmeCommands(t *testing.T) {
	t.Chdir("../../..")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	driver, _ := elsewhere(t, "a", "b")
	endpoints := strings.NewReplacer(
		"/csi/controller.sock", strings.TrimPrefix(driver.Controller, "unix://"),
		"/csi/node-a.sock", strings.TrimPrefix(driver.Nodes[0].Endpoint, "unix://"),
		"/csi/node-b.sock", strings.TrimPrefix(driver.Nodes[1].Endpoint, "unix://"),
		"my.yaml", filepath.Join(t.TempDir(), "my.yaml"), "imported.yaml", filepath.Join(t.TempDir(), "imported.yaml"), "_report", t.TempDir(), "'", "",
	)
	cases := len(clusterCases())
	if want := fmt.Sprintf("csi-topo cluster: %d of %d cases, ", cases, cases); !strings.Contains(string(readme), want) {
		t.Errorf("the README's make e2e does not print %q", want)
	}
	found := 0
	fields, err := os.ReadFile(schema.Document)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(readme) + string(fields)) {
		command, isCommand := strings.CutPrefix(line, "go run ./e2e/cmd/csi-topo ")
		if !isCommand {
			continue
		}
		found++
		command, _, _ = strings.Cut(command, " #")
		p := program(t, "", strings.Fields(endpoints.Replace(command))...)
		if p.exit != report.ExitPassed {
			t.Errorf("%s: exit status %d: %s\n%s", command, p.exit, p.errOut, p.out)
		}
	}
	const least = 10
	if found < least {
		t.Errorf("the README has %d commands, want at least %d", found, least)
	}
}
