// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestListAndRequirements(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want []string
		not  string
	}{
		{"cases of a requirement", []string{"list", "--requirement", "TR-18"}, []string{"T-GT-1 ", "MUST", " cases\n"}, "T-EQ-1 "},
		{"all of a case", []string{"list", "--requirement", "TR-18", "-o", "wide"}, []string{"requisite, x > n", "TR-15,TR-16,TR-17,TR-18", "accessible-from=2"}, "T-EQ-1 "},
		{"a case as YAML", []string{"list", "--focus", "^T-NR$", "-o", "yaml"}, []string{"- area: no requirement\n  file: e2e/spec/placement/example.go\n  id: T-NR\n"}, "T-EQ-1"},
		{"a case as JSON", []string{"list", "--focus", "^T-NR$", "-o", "json"}, []string{`"id": "T-NR"`}, "T-EQ-1"},
		{"cases of a tier", []string{"list", "--tier", "cluster"}, []string{"wffc_each_zone_1"}, "T-EQ-1 "},
		{"cases by the beginning of an id", []string{"list", "--focus", "^T-NR"}, []string{"T-NR ", "\n1 case\n"}, "T-EQ-1 "},
		{"a case by its whole id", []string{"list", "--focus", "^identity_name$"}, []string{"identity_name ", "\n1 case\n"}, "T-EQ-1 "},
		{"combinations", []string{"list", "--combinations"}, []string{"TOPOLOGIES", "combinations_shared ", " combinations\n"}, "T-EQ-1 "},
		{"combinations as JSON", []string{"list", "--combinations", "-o", "json"}, []string{`"case": "combinations_block"`, `"restart while used"`}, "T-EQ-1"},
		{"all cases", []string{"list"}, []string{"wffc_each_zone_1", "T-EQ-1 "}, "sanity_"},
		{"the register", []string{"requirements"}, []string{"TR-18 ", " requirements, ", "nothing "}, "no reason is given"},
		{"all of the register", []string{"requirements", "-o", "wide"}, []string{"TR-18 ", "T-GT-1", "nothing: ", "not to fall back is a warning"}, "no reason is given"},
		{"requirements by their ids", []string{"requirements", "TR-18", "K8S-A1"}, []string{"TR-18  MUST", "spec.md", "T-GT-1: ", "K8S-A1  MUST"}, "TR-07"},
		{"a requirement as YAML", []string{"requirements", "TR-18", "-o", "yaml"}, []string{"  id: TR-18\n", "  - T-GT-1\n"}, "TR-07"},
		{"a requirement as JSON", []string{"requirements", "TR-18", "-o", "json"}, []string{`"id": "TR-18"`}, "TR-07"},
		{"what ids mean", []string{"requirements", "--help"}, []string{"T-EQ-…", "K8S-"}, "TR-18"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := program(t, "", c.args...)
			if p.exit != report.ExitPassed {
				t.Fatalf("exit status %d: %s", p.exit, p.errOut)
			}
			for _, want := range c.want {
				if !strings.Contains(p.out, want) {
					t.Errorf("want %q in what is printed", want)
				}
			}
			if strings.Contains(p.out, c.not) {
				t.Errorf("want no %q in what is printed", c.not)
			}
		})
	}
}

// TestTablesFitATerminal checks that no line is wider than a terminal, which makes a table unreadable.
func TestTablesFitATerminal(t *testing.T) {
	for _, args := range [][]string{{"list"}, {"requirements"}, {"requirements", "TR-07", "CP-17", "K8S-A1"}} {
		for line := range strings.Lines(program(t, "", args...).out) {
			if length := len([]rune(strings.TrimRight(line, "\n"))); length > terminalWidth {
				t.Errorf("%q: a line of %d characters: %s", args, length, line)
			}
		}
	}
}

// TestRegisterAndCasesAgree checks that every case names requirements of the register, and that every requirement has its cases.
func TestRegisterAndCasesAgree(t *testing.T) {
	if p := program(t, "", "requirements", "--check"); p.exit != report.ExitPassed {
		t.Error(strings.ReplaceAll(p.errOut, "; ", "\n"))
	}
}

// TestListAndRunChooseTheSame checks that filters select the same cases in a list and in a run, apart from
// csi-sanity's, which are not listed.
func TestListAndRunChooseTheSame(t *testing.T) {
	for i, filters := range [][]string{
		{"--focus", "^T-NR$|^no requirement$", "--focus", "^identity_name$"},
		{"--focus", "^GetPluginInfo|^identity", "--skip", "_unknown"},
		{"--requirement", "GI-01", "--requirement", "TR-18"},
		{"--label", "req:TR-15 && !needs:exhaustion", "--skip", "^T-NR$"},
	} {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			var listed []suite.Listed
			list := program(t, "", append([]string{"list", "--tier", "spec", "-o", "json"}, filters...)...)
			if err := json.Unmarshal([]byte(list.out), &listed); err != nil {
				t.Fatalf("%v\n%s%s", err, list.out, list.errOut)
			}
			var want, got []string
			for _, c := range listed {
				want = append(want, c.ID)
			}
			for _, c := range program(t, "", append([]string{"spec", "--seed", "7"}, filters...)...).report(t).Cases {
				if c.DecidedBy != suite.ByFilter && !strings.HasPrefix(c.ID, "sanity_") {
					got = append(got, c.ID)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
				t.Errorf("%q: cases (-listed +run):\n%s", filters, diff)
			}
		})
	}
}
