// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
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

func TestMarkdown(t *testing.T) {
	var r ConformanceReport
	if err := yaml.Unmarshal([]byte(sound), &r); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Markdown(&out, &r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"### cluster tier: 1 pass, 1 fail, 0 warn, 0 error, 0 skip in 61 s\n",
		"some.csi v1, Kubernetes v1.36.3, 6 nodes in 2 zones, seed 7\n",
		"<b>fail</b> T-GT-1 (requisite; verifies TR-12)",
		"want &lt;Z2&gt;</pre>",
		"\n| T-EQ-1 | requisite | TR-07, TR-09 | pass | 0.2 |\n| T-GT-1 | requisite | TR-12 | fail: a\\|b | 2.0 |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "<b>pass</b>") {
		t.Errorf("a passed case is shown as one that needs attention:\n%s", out.String())
	}
}
