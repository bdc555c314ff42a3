// SPDX-License-Identifier: Apache-2.0

package page

import (
	"fmt"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// headline is the verdict at a glance.
type headline struct {
	// Verdict selects colour and sign; Word and Sentence name it.
	Verdict  suite.Verdict
	Word     string
	Sentence string
	Counts   []count
	// NotNeeded are the requirements and cases with waivers that are no longer needed.
	NotNeeded []string
}

// count is the number of cases with a verdict. Waived counts the cases among them whose findings are all waived by the
// profile.
type count struct {
	Verdict       suite.Verdict
	Cases, Waived int
}

// runHead is the summary of a run at the top of the page.
type runHead struct {
	Name         string
	Summary      report.Summary
	Facts        []fact
	Command      string
	Capabilities []string
	Profiles     []report.Profile
}

type fact struct{ Name, Value string }

func headlineOf(runs []report.Run, findings []findingView) headline {
	var sum report.Summary
	blamed := map[string]bool{}
	for _, run := range runs {
		s := askedFor(run.Report)
		sum.Pass, sum.Fail, sum.Warn, sum.Error, sum.Skip = sum.Pass+s.Pass, sum.Fail+s.Fail, sum.Warn+s.Warn, sum.Error+s.Error, sum.Skip+s.Skip
		sum.Waived += s.Waived
	}
	causes := 0
	for _, f := range findings {
		if f.Verdict != suite.Failed {
			continue
		}
		causes++
		if f.Relation == "contradicts" {
			for _, clause := range f.Clauses {
				blamed[clause.ID] = true
			}
		}
	}
	made := headline{Counts: []count{
		{suite.Failed, sum.Fail, 0}, {suite.Errored, sum.Error, 0}, {suite.Warned, sum.Warn, 0}, {suite.Passed, sum.Pass, 0}, {suite.Skipped, sum.Skip, sum.Waived},
	}}
	for _, run := range runs {
		made.NotNeeded = union(made.NotNeeded, run.Report.NotNeeded())
	}
	left := 0
	for _, out := range notRun(runs) {
		left += len(out.IDs)
	}
	switch {
	case sum.Fail > 0:
		made.Verdict, made.Word = suite.Failed, "Failed"
		made.Sentence = fmt.Sprintf("%s for %s", cases(sum.Fail, "failed"), plural(causes, "cause", "causes"))
		if len(blamed) > 0 {
			made.Sentence += fmt.Sprintf(", contradicting %s", plural(len(blamed), "requirement", "requirements"))
		}
		made.Sentence += "."
		if left > 0 {
			made.Sentence += fmt.Sprintf(" The run ended early: %s.", cases(left, "not run"))
		}
	case left > 0:
		made.Verdict, made.Word = suite.Errored, "Not finished"
		made.Sentence = fmt.Sprintf("The run ended before all cases had run: %s. None of the others failed.", cases(left, "not run"))
	case sum.Error > 0:
		made.Verdict, made.Word = suite.Errored, "Could not tell"
		made.Sentence = fmt.Sprintf("No case failed, but %s.", cases(sum.Error, "ended in an error"))
	case sum.Pass+sum.Warn+sum.Waived == 0:
		made.Verdict, made.Word, made.Sentence = suite.Errored, "Nothing exercised", "Every case was skipped."
	case sum.Warn > 0:
		made.Verdict, made.Word = suite.Passed, "Passed"
		made.Sentence = fmt.Sprintf("No case failed; %s.", cases(sum.Warn, "ended in a warning"))
	default:
		made.Verdict, made.Word = suite.Passed, "Passed"
		made.Sentence = "No case failed, warned or ended in an error."
	}
	return made
}

// askedFor returns the summary of a report without the cases that the command line left out.
func askedFor(r *report.ConformanceReport) report.Summary {
	sum := r.Summary
	for _, c := range r.Cases {
		if c.DecidedBy == suite.ByFilter {
			sum.Skip--
		}
	}
	return sum
}

// cases returns a number of cases and their result, as a phrase.
func cases(n int, became string) string { return plural(n, "case ", "cases ") + became }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// notRun returns the cases that were selected but not run, by reason, run by run.
func notRun(runs []report.Run) []report.LeftOut {
	var left []report.LeftOut
	for _, run := range runs {
		left = append(left, report.NotRun(run.Report)...)
	}
	return left
}

func title(runs []report.Run) string {
	const longest = 40 // characters of a version, so that it does not fill the first screen
	drivers := report.DriversOf(runs)
	switch len(drivers) {
	case 0:
		return "csi-topo report"
	case 1:
		version := []rune(runs[0].Report.Driver.Version)
		if len(version) > longest {
			version = append(version[:longest], '…')
		}
		return strings.TrimSpace(drivers[0] + " " + string(version))
	default:
		return strings.Join(drivers, " and ")
	}
}

func headsOf(runs []report.Run) []runHead {
	heads := make([]runHead, 0, len(runs))
	for _, run := range runs {
		heads = append(heads, runHead{
			Name: nameOf(run), Summary: askedFor(run.Report), Facts: factsOf(run.Report), Command: run.Report.Suite.Command, Capabilities: run.Report.Driver.Capabilities,
			Profiles: run.Report.Profiles,
		})
	}
	return heads
}

func factsOf(r *report.ConformanceReport) []fact {
	found := []fact{{"tier", r.Environment.Tier}, {"duration", duration(r.Summary.Seconds)}}
	add := func(name, value string) {
		if value != "" {
			found = append(found, fact{name, value})
		}
	}
	add("Kubernetes", r.Environment.Kubernetes)
	if r.Environment.Nodes > 0 {
		add("nodes", fmt.Sprint(r.Environment.Nodes))
	}
	add("zones", strings.Join(zonesOf(r), " · "))
	add("suite", strings.TrimSpace(r.Suite.Version+" "+short(r.Suite.Commit)))
	add("began", r.Suite.Began)
	add("requirements", coverageOf(r))
	if r.Suite.Seed != 0 {
		add("seed", fmt.Sprint(r.Suite.Seed))
	}
	return append(found, sidecarsOf(r)...)
}

// coverageOf returns a sentence with the numbers of requirements of the run's cases that were exercised, and that held.
func coverageOf(r *report.ConformanceReport) string {
	held, left := 0, 0
	for _, found := range r.Requirements {
		switch found.Verdict {
		case suite.Passed:
			held++
		case suite.Skipped, report.NotExercised:
			left++
		default:
		}
	}
	if len(r.Requirements) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d held, %d not exercised", held, len(r.Requirements), left)
}

// duration returns the duration of a run in units that are easy to read.
func duration(seconds float64) string {
	const minute = 60
	if seconds < 2*minute {
		return fmt.Sprintf("%.0f s", seconds)
	}
	return fmt.Sprintf("%.0f min", seconds/minute)
}

// short returns the beginning of a commit, long enough to be unique.
func short(commit string) string {
	const enough = 12
	return commit[:min(len(commit), enough)]
}

// zonesOf returns the names of the zones; for a whole segment, only its values: R1/Z2.
func zonesOf(r *report.ConformanceReport) []string {
	var names []string
	for _, zone := range r.Environment.Zones {
		var values []string
		for part := range strings.SplitSeq(zone, ",") {
			values = append(values, part[strings.LastIndex(part, "=")+1:])
		}
		names = append(names, strings.Join(values, "/"))
	}
	return names
}
