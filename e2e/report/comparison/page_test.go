// SPDX-License-Identifier: Apache-2.0

package comparison

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// entry returns the report of a driver on cases of the area "some" with verdicts, judged by the newest specification.
func entry(project string, backend report.Backend, cases ...report.Case) Entry {
	for i := range cases {
		cases[i].Area, cases[i].Text = "some", "does something"
	}
	r := &report.ConformanceReport{
		Suite: report.Suite{Version: "v0.1.0", CSI: "1.13", Began: "2026-11-28T10:00:00Z"}, Cases: cases,
		Implementation: report.Implementation{Organization: "Example", Project: project, URL: "https://example.com", Version: "v1", Backend: backend},
		Driver:         report.Driver{Name: "csi.example.com"}, Environment: report.Environment{Tier: "spec"},
	}
	r.Profiles = conformance.Judge(r)
	return Entry{Suite: Unreleased, Driver: project, Report: r, Reproduce: true}
}

func failing(id string, blamed ...string) report.Case {
	return report.Case{ID: id, Requirements: blamed, Blamed: blamed, Verdict: suite.Failed, Message: "INTERNAL"}
}

func written(t *testing.T, entries ...Entry) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, viewOf(entries)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// described returns the profiles with an outcome of a driver, their rows, and the counts of its areas.
func described(d driver) string {
	var text strings.Builder
	for _, p := range d.Profiles {
		if p.Outcome == "" {
			continue
		}
		fmt.Fprintf(&text, "%s %s (%s)", p.Title, p.Outcome, p.Class)
		for _, row := range p.Rows {
			fmt.Fprintf(&text, ", %s %s %v", row.ID, row.Mark, row.Cases)
		}
		text.WriteString("\n")
	}
	for _, a := range d.Areas {
		fmt.Fprintf(&text, "%s %v", a.Name, a.Counts)
	}
	return text.String()
}

func TestWhatTheBackendExplainsIsSetApart(t *testing.T) {
	cases := func() []report.Case {
		return []report.Case{
			failing("grows", "NE-01"), failing("mounts", "NS-20"), failing("both", "NE-27", "NS-20"),
			{ID: "holds", Requirements: []string{"TR-01"}, Verdict: suite.Passed},
		}
	}
	for _, c := range []struct {
		name, want string
		given      report.Backend
	}{
		{"the real back end", `topology (core) success (pass)
expansion failure (fail), NE-01 failed [{grows d-v1-spec-unreleased-case-grows fail}], NE-27 failed [{both d-v1-spec-unreleased-case-both fail}]
node failure (fail), NS-20 failed [{mounts d-v1-spec-unreleased-case-mounts fail} {both d-v1-spec-unreleased-case-both fail}]
some [{fail 3 fail} {pass 1 pass}]`, report.Backend{}},
		{"a fake without growth", `topology (core) success (pass)
expansion explained (explained), NE-01 explained by the back end [{grows d-v1-spec-unreleased-case-grows explained}], NE-27 explained by the back end [{both d-v1-spec-unreleased-case-both fail}]
node failure (fail), NS-20 failed [{mounts d-v1-spec-unreleased-case-mounts fail} {both d-v1-spec-unreleased-case-both fail}]
some [{fail 2 fail} {explained 1 explained} {pass 1 pass}]`, report.Backend{Kind: "fake", Lacks: []string{"no-growth"}}},
	} {
		if got := described(viewOf([]Entry{entry("d", c.given, cases()...)}).Drivers[0]); got != c.want {
			t.Errorf("%s: got:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

func TestEveryCellLeadsToItsFindings(t *testing.T) {
	page := written(t, entry("a", report.Backend{}, failing("T-1", "TR-01")), entry("b", report.Backend{}, failing("T-1", "TR-01")))
	ids := map[string]int{}
	for _, found := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		ids[found[1]]++
	}
	links := regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1)
	if len(links) == 0 {
		t.Error("no links")
	}
	for _, link := range links {
		if ids[link[1]] != 1 {
			t.Errorf("%d places have the id %s, want 1", ids[link[1]], link[1])
		}
	}
	for _, want := range []string{"a-v1-spec-unreleased-profile-topology", "b-v1-spec-unreleased-area-some", "b-v1-spec-unreleased-case-t-1"} {
		if !strings.Contains(page, `href="#`+want+`"`) {
			t.Errorf("nothing leads to %s", want)
		}
	}
}

func TestAnchorsAreSafeAndUnique(t *testing.T) {
	taken := ids{}
	for _, c := range []struct{ given, want string }{
		{"T-EQ-1", "t-eq-1"}, {"t eq/1", "t-eq-1-2"}, {`"><script>`, "script"}, {"ä", "x"}, {"é", "x-2"},
	} {
		if got := taken.free(c.given); got != c.want {
			t.Errorf("%q: got %q, want %q", c.given, got, c.want)
		}
	}
}

func TestWhatAReportSaysIsNoMarkup(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x>`
	e := entry(evil, report.Backend{Kind: "fake"}, failing("T-1", "TR-01"))
	e.Suite, e.Driver = evil, evil
	r := e.Report
	r.Implementation.URL, r.Implementation.Organization, r.Implementation.Version, r.Driver.Name = "javascript:alert(1)", evil, evil, evil
	r.Suite.Began, r.Environment.Tier = evil, evil
	r.Cases[0].ID, r.Cases[0].Area, r.Cases[0].Text, r.Cases[0].Message = evil, evil, evil, evil
	page := written(t, e)
	for _, bad := range []string{"<script", "<img", `href="javascript:`, ` src="`, `rel="stylesheet"`, "@import", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	if !strings.Contains(page, `content="default-src &#39;none&#39;`) {
		t.Error("the page has no policy that refuses to load anything")
	}
}

func TestOfTheOrderOfDrivers(t *testing.T) {
	b, a := entry("b", report.Backend{}, failing("T-1", "TR-01")), entry("A", report.Backend{}, failing("T-1", "TR-01"))
	older := a
	older.Suite = "v0.1.0"
	var got []string
	for _, d := range viewOf([]Entry{b, older, a}).Drivers {
		got = append(got, d.ID)
	}
	if want := "a-v1-spec-v0-1-0 a-v1-spec-unreleased b-v1-spec-unreleased"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestADriverOnTwoTiers(t *testing.T) {
	inSpec, inCluster, other := entry("a", report.Backend{}, failing("T-1", "TR-01")), entry("a", report.Backend{}, failing("wffc", "TR-01")), entry("b", report.Backend{}, failing("T-1", "TR-01"))
	inCluster.Driver, inCluster.Report.Environment.Tier = "a-cluster", "cluster"
	inCluster.Report.Cases[0].Area = "binding"

	var got []string
	for _, tier := range viewOf([]Entry{inSpec, inCluster, other}).Tiers {
		for _, d := range tier.Drivers {
			got = append(got, tier.Name+": "+d.ID)
		}
		for _, row := range tier.Areas {
			got = append(got, fmt.Sprintf("%s: %s of %d", tier.Name, row.Name, len(row.Drivers)))
		}
	}
	want := []string{
		"cluster: a-v1-cluster-unreleased", "cluster: binding of 1",
		"spec: a-v1-spec-unreleased", "spec: b-v1-spec-unreleased", "spec: some of 2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBadges(t *testing.T) {
	holds := report.Case{ID: "T-1", Requirements: []string{"TR-01"}, Verdict: suite.Passed}
	dir := t.TempDir()
	good, bad := entry("good", report.Backend{}, holds), entry("bad", report.Backend{}, failing("T-1", "TR-01"))
	nothing := entry("nothing", report.Backend{}, failing("T-2", "NE-01"))
	for _, e := range []Entry{good, bad, nothing} {
		if err := os.MkdirAll(filepath.Join(dir, "reports", e.dir()), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteDir(filepath.Join(dir, "page"), filepath.Join(dir, "reports"), []Entry{good, bad, nothing}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"good": `aria-label="good v1: topology, spec tier: success"`, "bad": `aria-label="bad v1: topology, spec tier: failure"`,
		"nothing": `aria-label="nothing v1: core, spec tier: not judged"`,
	} {
		picture, err := os.ReadFile(filepath.Join(dir, "page", "badges", name+"-v1-spec-unreleased.svg"))
		if err != nil || !strings.Contains(string(picture), want) {
			t.Errorf("%s: want %s, got %s (%v)", name, want, picture, err)
		}
	}
}
