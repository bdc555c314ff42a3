package main

import (
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
)

func TestListAndRequirements(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want []string
		not  string
	}{
		{"cases of a requirement", []string{"list", "--requirement", "TR-18"}, []string{"T-GT-1 ", "MUST", "TR-18", "accessible-from=2"}, "T-EQ-1 "},
		{"cases of a tier", []string{"list", "--tier", "cluster"}, []string{"wffc_each_zone_1"}, "T-EQ-1 "},
		{"all cases", []string{"list"}, []string{"wffc_each_zone_1", "T-EQ-1 "}, "sanity_"},
		{"the register", []string{"requirements"}, []string{"TR-18 ", "T-GT-1", " requirements, ", "nothing: ", "not to fall back is a warning"}, "no reason is written"},
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

// TestRegisterAndCasesAgree is what `make verify` asks as well.
func TestRegisterAndCasesAgree(t *testing.T) {
	if p := program(t, "", "requirements", "--check"); p.exit != report.ExitPassed {
		t.Error(strings.ReplaceAll(p.errOut, "; ", "\n"))
	}
}
