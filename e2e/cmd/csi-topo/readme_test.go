package main

import (
	"os"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// TestReadmeCommands runs the commands with which the README says that a driver is judged, on a driver elsewhere where
// they name endpoints.
func TestReadmeCommands(t *testing.T) {
	t.Chdir("../../..")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	driver, _ := elsewhere(t, "a", "b")
	endpoints := strings.NewReplacer(
		"unix:///csi/controller.sock", driver.Controller,
		"unix:///csi/node-a.sock", driver.Nodes[0].Endpoint,
		"unix:///csi/node-b.sock", driver.Nodes[1].Endpoint,
		"_report", t.TempDir(), "'", "",
	)
	found := 0
	for line := range strings.Lines(string(readme)) {
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
	const least = 5
	if found < least {
		t.Errorf("the README has %d commands, want at least %d", found, least)
	}
}
