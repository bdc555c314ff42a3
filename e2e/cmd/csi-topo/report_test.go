package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
)

func TestReport(t *testing.T) {
	dir := t.TempDir()
	sound := filepath.Join(dir, "report.yaml")
	text := "apiVersion: csi-topo/v1alpha1\nkind: ConformanceReport\nenvironment: {tier: spec}\nsummary: {pass: 2}\n"
	if err := os.WriteFile(sound, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, given string
		exit        int
		out         string
	}{
		{"a report", sound, report.ExitPassed, "### spec tier: 2 pass, "},
		{"no report", filepath.Join(dir, "none.yaml"), report.ExitError, "### No report: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := program(t, "", "report", c.given)
			if p.exit != c.exit || !strings.HasPrefix(p.out, c.out) {
				t.Errorf("exit status %d, want %d, and %q on standard output:\n%s%s", p.exit, c.exit, c.out, p.out, p.errOut)
			}
		})
	}
}
