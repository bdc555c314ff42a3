// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// nothing returns no text for any requirement.
func nothing(string) string { return "" }

const sound = `apiVersion: csi-topo/v1alpha1
kind: ConformanceReport
suite: {seed: 7}
driver: {name: some.csi, version: v1}
environment: {tier: cluster, kubernetes: v1.36.3, nodes: 6, zones: [Z2, Z3]}
summary: {pass: 1, fail: 1, seconds: 61.2}
cases:
- {id: T-EQ-1, area: requisite, requirements: [TR-07, TR-09], verdict: pass, seconds: 0.25}
- {id: T-GT-1, area: requisite, text: "chooses <n> zones", requirements: [TR-12], verdict: fail, reason: "a|b", message: "want <Z2>", seconds: 2}
`

func TestMarkdown(t *testing.T) {
	var r ConformanceReport
	if err := yaml.Unmarshal([]byte(sound), &r); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Markdown(&out, &r, nothing); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"### cluster tier: 1 pass, 1 fail, 0 warn, 0 error, 0 skip in 61 s\n",
		"some.csi v1, Kubernetes v1.36.3, 6 nodes in 2 zones, seed 7\n",
		"<details open><summary><b>fail</b> T-GT-1 (requisite): chooses &lt;n&gt; zones</summary>\n\nverifies TR-12\n",
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

func TestMarkdownShowsFailuresFirstAndEachCauseOnce(t *testing.T) {
	failed := func(id, message string) Case {
		return Case{ID: id, Area: "a", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: message}
	}
	left := Case{Verdict: suite.Errored, Reason: suite.NotRun, Message: "the driver is gone"}
	r := &ConformanceReport{Cases: []Case{
		{ID: "T-0", Area: "a", Verdict: suite.Warned, Message: "slow"}, failed("T-1", "made 3 volumes"), failed("T-2", "made 4 volumes"), left, left,
	}}
	var out strings.Builder
	if err := Markdown(&out, r, func(id string) string { return id + " is <so>" }); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	fail, warn := strings.Index(page, "<b>fail</b> T-1"), strings.Index(page, "<details><summary><b>warn</b> T-0")
	if fail < 0 || warn < fail || strings.Contains(page, "<b>fail</b> T-2") {
		t.Errorf("want one failure, open, and after it the warning, closed, got:\n%s", page)
	}
	for _, want := range []string{"contradicts TR-07: TR-07 is &lt;so&gt;", "The same in 1 more: T-2", "**2 not run**: the driver is gone"} {
		if strings.Count(page, want) != 1 {
			t.Errorf("want %q once, got:\n%s", want, page)
		}
	}
}

func TestMarkdownIsNeverLongerThanGitHubTakes(t *testing.T) {
	r := &ConformanceReport{}
	for i := range 20_000 {
		message := strings.Repeat("ä", i%100) + string(rune('a'+i%26))
		if i == 0 {
			message = strings.Repeat("long ", 1<<20)
		}
		r.Cases = append(r.Cases, Case{ID: fmt.Sprintf("T-%05d", i), Area: "a", Verdict: suite.Failed, Reason: strings.Repeat("x", i%300), Message: message})
	}
	var out strings.Builder
	if err := Markdown(&out, r, nothing); err != nil {
		t.Fatal(err)
	}
	const most = 1 << 20
	if page := out.String(); len(page) > most || !strings.Contains(page, "more findings are left out") || !strings.Contains(page, "more cases are left out") || !strings.HasSuffix(page, "</details>\n") {
		t.Errorf("want at most %d bytes that say what is left out, got %d that end in %q", most, len(page), page[len(page)-100:])
	}
}
func TestMarkdownGroupsByCause(t *testing.T) {
	r := ConformanceReport{Cases: []Case{
		{ID: "T-1", Area: "a", Verdict: suite.Errored, Message: "a call that the case needs failed: INTERNAL: \"no pool\""},
		{ID: "T-2", Area: "a", Verdict: suite.Errored, Reason: suite.NotRun, Message: "the driver has stopped answering"},
		{ID: "T-3", Area: "a", Verdict: suite.Errored, Message: "a call that the case needs failed: INTERNAL: \"no pool\""},
		{ID: "T-4", Area: "a", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "Z2 is possible\ngot: INTERNAL: \"no pool\""},
		{ID: "T-5", Area: "a", Verdict: suite.Failed, Blamed: []string{"TR-09"}, Message: "Z3 is possible\ngot: INTERNAL: \"no pool\""},
	}}
	var out strings.Builder
	if err := Markdown(&out, &r, nothing); err != nil {
		t.Fatal(err)
	}
	found := out.String()
	if blocks := strings.Count(found, "<details open>"); blocks != 2 || strings.Index(found, "T-4") > strings.Index(found, "T-1") {
		t.Errorf("want the failures and then the errors, a block for each cause, got:\n%s", found)
	}
	for _, want := range []string{"contradicts TR-07<br>", "contradicts TR-09<br>", "The same answer in 1 more: T-5", "**1 not run**: the driver has stopped answering"} {
		if !strings.Contains(found, want) {
			t.Errorf("the page lacks %q:\n%s", want, found)
		}
	}
}
