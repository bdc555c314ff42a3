// SPDX-License-Identifier: Apache-2.0

package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// sample returns the report of a run with these cases.
func sample(cases ...report.Case) *report.ConformanceReport {
	r := &report.ConformanceReport{
		Driver:      report.Driver{Name: "csi.example.com", Version: "v1"},
		Environment: report.Environment{Tier: "spec", Zones: []string{"example.com/region=R1,example.com/zone=Z1"}},
		Cases:       cases,
	}
	for _, c := range cases {
		switch c.Verdict {
		case suite.Passed:
			r.Summary.Pass++
		case suite.Failed:
			r.Summary.Fail++
		case suite.Warned:
			r.Summary.Warn++
		case suite.Errored:
			r.Summary.Error++
		case suite.Skipped:
			r.Summary.Skip++
		}
	}
	return r
}

func written(t *testing.T, runs ...report.Run) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, runs); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestVerdictAtAGlance(t *testing.T) {
	pass, warn := report.Case{ID: "T-1", Verdict: suite.Passed}, report.Case{ID: "T-2", Verdict: suite.Warned, Message: "slow"}
	fail := report.Case{ID: "T-3", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Requirements: []string{"TR-07"}, Message: "in Z2"}
	failed, left := report.Case{ID: "T-4", Verdict: suite.Errored, Reason: "could not tell"}, report.Case{ID: "T-5", Verdict: suite.Errored, Reason: suite.NotRun}
	skip := report.Case{ID: "T-6", Verdict: suite.Skipped, DecidedBy: suite.ByCapability}
	for _, c := range []struct {
		name  string
		given []report.Case
		want  string
	}{
		{"passes", []report.Case{pass, skip}, "Passed"},
		{"a warning", []report.Case{pass, warn}, "Passed"},
		{"a failure", []report.Case{pass, warn, fail, failed, left}, "Failed"},
		{"an error", []report.Case{pass, failed}, "Could not tell"},
		{"cases that were not run", []report.Case{pass, failed, left}, "Not finished"},
		{"nothing but skips", []report.Case{skip}, "Nothing exercised"},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs := []report.Run{{Report: sample(c.given...)}}
			if got := headlineOf(runs, findingsOf(runs)); got.Word != c.want {
				t.Errorf("got %q, %s, want %q", got.Word, got.Sentence, c.want)
			}
		})
	}
}

func TestFindingsOfSeveralRunsAreGroupedByCause(t *testing.T) {
	found := func(id, message string) report.Case {
		return report.Case{ID: id, Verdict: suite.Failed, Blamed: []string{"TR-07"}, Requirements: []string{"TR-07"}, Message: message}
	}
	warn := report.Case{ID: "T-0", Verdict: suite.Warned, Message: "slow"}
	got := findingsOf([]report.Run{
		{Name: "1.35", Report: sample(warn, found("T-1", "made 3 volumes"), found("T-2", "made 4 volumes"))},
		{Name: "1.36", Report: sample(found("T-2", "made 5 volumes"), found("T-3", "made none"))},
	})
	var lines []string
	for _, f := range got {
		lines = append(lines, fmt.Sprint(f.Verdict, " ", f.ID, " ", f.Others, " ", f.Runs))
	}
	want := "fail T-1 [T-2] [1.35 1.36]\nfail T-3 [] [1.36]\nwarn T-0 [] [1.35]"
	if strings.Join(lines, "\n") != want {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(lines, "\n"), want)
	}
}

func TestFindingsAreInTheOrderOfTheirWeight(t *testing.T) {
	of := func(id, clause, message string, v suite.Verdict) report.Case {
		return report.Case{ID: id, Verdict: v, Blamed: []string{clause}, Requirements: []string{clause}, Message: message}
	}
	r := sample(of("T-0", "GEN-02", "slow", suite.Warned), of("T-1", "TR-07", "one", suite.Failed), of("T-2", "TR-09", "two", suite.Failed), of("T-3", "TR-09", "two", suite.Failed))
	r.Suite.Again = "csi-topo spec --seed 7"
	var lines []string
	for _, f := range findingsOf([]report.Run{{Report: r}}) {
		lines = append(lines, fmt.Sprint(f.Verdict, " ", f.ID, " ", f.Observed, " ", f.Again))
	}
	want := "fail T-2 two [csi-topo spec --seed 7 T-2]\nfail T-1 one [csi-topo spec --seed 7 T-1]\nwarn T-0 slow [csi-topo spec --seed 7 T-0]"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	page := written(t, report.Run{Report: r})
	if fail, warn := strings.Index(page, `<details class="finding fail">`), strings.Index(page, `<details class="warnings"><summary><h3>1 warning</h3>`); fail < 0 || warn < fail {
		t.Error("want warnings closed, below failures")
	}
}

func TestWhatWasObservedInALine(t *testing.T) {
	for given, want := range map[string]string{
		"the volume is in Z2\nat e2e/a.go:1":                  "the volume is in Z2",
		"a size is refused\nwanted: OK\ngot: INTERNAL: \"x\"": `a size is refused; got: INTERNAL: "x"`,
		"": "shows a zone",
	} {
		if got := observed(report.Case{Text: "shows a zone", Message: given}); got != want {
			t.Errorf("of %q: got %q, want %q", given, got, want)
		}
	}
	if got := []rune(observed(report.Case{Message: strings.Repeat("ä", 1000)})); len(got) > 250 {
		t.Errorf("want a line, got %d characters", len(got))
	}
}

func TestWhatADriverSaysIsNoMarkup(t *testing.T) {
	const evil = `</script><script>alert(1)</script><img src=x>`
	page := written(t, report.Run{
		Report: sample(report.Case{ID: "T-1", Text: evil, Verdict: suite.Failed, Message: evil, Calls: &report.Lines{First: 1, Last: 1}}),
		Calls:  []json.RawMessage{json.RawMessage(`{"message":"</script><script>alert(1)</script>"}`)},
	})
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img") {
		t.Error("a message became markup of the page")
	}
}

func TestThePageAsksNobodyForAnything(t *testing.T) {
	page := written(t, report.Run{Report: sample(report.Case{ID: "T-1", Verdict: suite.Passed})})
	for _, loads := range []string{` src="`, `rel="stylesheet"`, "@import", "url(", "fetch("} {
		if strings.Contains(page, loads) {
			t.Errorf("the page has %s, which may load something", loads)
		}
	}
	if !strings.Contains(page, `content="default-src &#39;none&#39;`) {
		t.Error("the page has no policy that refuses to load anything")
	}
}

// TestCallsAreLeftOutBeforeThePageIsTooLarge checks that if the first run has more calls than fit, the calls of its finding
// stay.
func TestCallsAreLeftOutBeforeThePageIsTooLarge(t *testing.T) {
	many := []json.RawMessage{json.RawMessage(`{"method":"kept"}`)}
	random := uint64(1)
	for range 100_000 {
		random = random*6364136223846793005 + 1442695040888963407
		many = append(many, json.RawMessage(fmt.Sprintf(`{"method":"%x"}`, random)))
	}
	few := []json.RawMessage{json.RawMessage(`{"method":"few"}`)}
	found := report.Case{ID: "T-1", Verdict: suite.Failed, Calls: &report.Lines{First: 1, Last: 1}}
	held := report.Case{ID: "T-2", Verdict: suite.Passed, Calls: &report.Lines{First: 2, Last: len(many)}}
	runs := []report.Run{{Name: "many", Report: sample(found, held), Calls: many}, {Name: "few", Report: sample(found), Calls: few}}
	blocks := packCalls(runs)
	if len(blocks) != 2 {
		t.Fatalf("got the calls of %d runs, want both", len(blocks))
	}
	for i, want := range []string{`[{"method":"kept"},null`, `[{"method":"few"}]`} {
		if got := unpacked(t, blocks[i].Data); !strings.HasPrefix(got, want) {
			t.Errorf("got %.40s of the run %s, want %s", got, runs[i].Name, want)
		}
	}
	if most, page := 1<<20, written(t, runs...); len(page) > most {
		t.Errorf("the page has %d bytes, want at most %d", len(page), most)
	}
}

func TestFindingsOfLinesThatAreNotThere(t *testing.T) {
	calls := []json.RawMessage{json.RawMessage(`1`), json.RawMessage(`2`)}
	cut := report.Case{ID: "T-1", Verdict: suite.Failed, Calls: &report.Lines{First: 2, Last: 9}}
	got, err := json.Marshal(callsOfFindings(report.Run{Report: sample(cut), Calls: calls}))
	if want := "[null,2]"; err != nil || string(got) != want {
		t.Errorf("got %s and error %v, want %s", got, err, want)
	}
}

// unpacked returns the JSON in a block of the page.
func unpacked(t *testing.T, data template.HTML) string {
	t.Helper()
	reader, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(string(data))))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRunsSideBySide(t *testing.T) {
	one := sample(report.Case{ID: "T-1", Verdict: suite.Passed}, report.Case{ID: "T-2", Verdict: suite.Passed})
	other := sample(report.Case{ID: "T-1", Verdict: suite.Passed}, report.Case{ID: "T-2", Verdict: suite.Warned})
	page := written(t, report.Run{Name: "a", Report: one}, report.Run{Name: "b", Report: other})
	if !strings.Contains(page, `<th scope="row"><a class="case-link" href="#case-T-2">`) || strings.Contains(page, `<th scope="row"><a class="case-link" href="#case-T-1">`) {
		t.Error("want T-2 alone in the table of cases whose verdicts differ")
	}
	if strings.Contains(written(t, report.Run{Name: "a", Report: other}), `id="matrix"`) {
		t.Error("a single run has a table of runs")
	}
}

func TestNoReportIsNoPage(t *testing.T) {
	if err := Write(&bytes.Buffer{}, nil); err == nil {
		t.Error("want an error")
	}
}

func TestWhatIsWaivedIsInTheHead(t *testing.T) {
	r := sample(report.Case{ID: "T-1", Verdict: suite.Skipped, DecidedBy: suite.ByWaiver, Reason: "one zone"}, report.Case{ID: "T-2", Verdict: suite.Passed})
	r.Summary.Waived = 1
	r.Waivers = []report.Waiver{{Waiver: suite.Waiver{Requirement: "TR-07", Reason: "old"}, NotNeeded: true}}
	page := written(t, report.Run{Report: r})
	for _, want := range []string{"(1 waived)", "no longer needed: <b>TR-07</b>"} {
		if !strings.Contains(page, want) {
			t.Errorf("want %q in the page", want)
		}
	}
}

func TestRunsOfSeveralDriversNameThem(t *testing.T) {
	one, other := sample(report.Case{ID: "T-1", Verdict: suite.Failed}), sample(report.Case{ID: "T-1", Verdict: suite.Passed})
	other.Driver.Name, other.Environment.Tier = "other.example.com", "cluster"
	page := written(t, report.Run{Name: "a", Report: one}, report.Run{Name: "b", Report: other})
	for _, want := range []string{"<h1>csi.example.com and other.example.com</h1>", "<h2>a of csi.example.com</h2>", `<span class="tag">a of csi.example.com</span>`} {
		if !strings.Contains(page, want) {
			t.Errorf("want %q in the page", want)
		}
	}
}
