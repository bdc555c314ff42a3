// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestAGroupWithoutACommandPrintsItsHelp(t *testing.T) {
	for _, name := range []string{"profile", "report", "engine"} {
		p := program(t, "", name)
		if p.exit != report.ExitError || p.out != "" || !strings.Contains(p.errOut, "Available Commands:") {
			t.Errorf("%s: exit status %d, want 2 and the help on standard error:\n%s%s", name, p.exit, p.out, p.errOut)
		}
	}
}

func TestVersionFlag(t *testing.T) {
	if flag, command := program(t, "", "--version"), program(t, "", "version"); flag.exit != report.ExitPassed || flag.out != command.out || flag.out == "" {
		t.Errorf("want both to print the same, got %q and %q", flag.out, command.out)
	}
}

func TestCasesByTheirIDs(t *testing.T) {
	var ran []string
	for _, c := range program(t, "", "spec", "T-EQ-1", "identity_name").report(t).Cases {
		if c.DecidedBy != suite.ByFilter {
			ran = append(ran, c.ID)
		}
	}
	if got := strings.Join(ran, " "); len(ran) != 2 || !strings.Contains(got, "T-EQ-1") || !strings.Contains(got, "identity_name") {
		t.Errorf("got %s, want the two that were named", got)
	}
}

// TestAFullDisk checks that a list that could not be written in full is an error.
func TestAFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	var errOut strings.Builder
	command := exec.CommandContext(t.Context(), os.Args[0], "list")
	command.Env = append(os.Environ(), programVariable+"=1")
	command.Stdout, command.Stderr = full, &errOut
	_ = command.Run() // the test reads the exit status
	if got := command.ProcessState.ExitCode(); got != report.ExitError || !strings.Contains(errOut.String(), "writing to standard output: ") {
		t.Errorf("exit status %d and %q, want 2 and what could not be written", got, errOut.String())
	}
}
