package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sound = `apiVersion: csi-topo/v1alpha1
kind: ConformanceReport
suite: {seed: 7}
driver: {name: some.csi, version: v1}
environment: {tier: cluster, kubernetes: v1.36.3, nodes: 6, zones: [Z2, Z3]}
summary: {pass: 1, fail: 1, seconds: 61.2}
cases:
- {id: T-EQ-1, area: requisite, requirements: [TR-07, TR-09], verdict: pass, seconds: 0.25}
- {id: T-GT-1, area: requisite, requirements: [TR-12], verdict: fail, reason: "a|b", message: "want <Z2>", seconds: 2}
`

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, given string
		want        []string
		wantError   string
	}{
		{name: "a report", given: sound, want: []string{
			"### cluster tier: 1 pass, 1 fail, 0 warn, 0 error, 0 skip in 61 s\n",
			"some.csi v1, Kubernetes v1.36.3, 6 nodes in 2 zones, seed 7\n",
			"<b>fail</b> T-GT-1 (requisite; verifies TR-12)",
			"want &lt;Z2&gt;</pre>",
			"\n| T-EQ-1 | requisite | TR-07, TR-09 | pass | 0.2 |\n| T-GT-1 | requisite | TR-12 | fail: a\\|b | 2.0 |\n",
		}},
		{name: "no report", want: []string{"### No report"}, wantError: "reading the report"},
		{name: "not YAML", given: "\t", wantError: "reading "},
		{name: "another kind of file", given: "kind: Pod\n", wantError: `is "Pod" of ""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "report.yaml")
			if c.given != "" {
				if err := os.WriteFile(path, []byte(c.given), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var out strings.Builder
			err := run([]string{path}, &out)
			if c.wantError == "" && err != nil {
				t.Fatalf("run = %v, want no error", err)
			}
			if c.wantError != "" && (err == nil || !strings.Contains(err.Error(), c.wantError)) {
				t.Errorf("run = %v, want an error with %q", err, c.wantError)
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the summary lacks %q:\n%s", want, out.String())
				}
			}
			if c.name == "a report" && strings.Contains(out.String(), "<b>pass</b>") {
				t.Errorf("a passed case is shown as one that needs attention:\n%s", out.String())
			}
		})
	}
}

func TestRunWantsOneArgument(t *testing.T) {
	if err := run(nil, &strings.Builder{}); err == nil || !strings.Contains(err.Error(), "want one argument") {
		t.Errorf("run without an argument = %v, want an error that says what it wants", err)
	}
}
