// SPDX-License-Identifier: Apache-2.0

package page

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// pageData is the data of the page's script.
type pageData struct {
	Runs     []runData    `json:"runs"`
	Cases    []caseData   `json:"cases"`
	Register []clauseData `json:"register"`
}

type runData struct {
	Name     string           `json:"name"`
	Tier     string           `json:"tier"`
	Again    string           `json:"again,omitempty"`
	Zones    []string         `json:"zones"`
	Segments []report.Segment `json:"segments"`
}

// caseData is one case, with its result in each of the runs that have it.
type caseData struct {
	ID           string       `json:"id"`
	Area         string       `json:"area"`
	Text         string       `json:"text"`
	Requirements []string     `json:"requirements"`
	Results      []resultData `json:"results"`
}

type resultData struct {
	Run       int              `json:"run"`
	Verdict   suite.Verdict    `json:"verdict"`
	Reason    string           `json:"reason,omitempty"`
	DecidedBy suite.DecidedBy  `json:"decidedBy,omitempty"`
	Seconds   float64          `json:"seconds"`
	Message   string           `json:"message,omitempty"`
	Blamed    []string         `json:"blamed,omitempty"`
	Waived    []asideData      `json:"waived,omitempty"`
	Evidence  []evidenceData   `json:"evidence,omitempty"`
	Placement *suite.Placement `json:"placement,omitempty"`
	// Calls are the first and the last line of the run's calls, counted from 1.
	Calls []int `json:"calls,omitempty"`
}

// asideData is the part of a case's findings that the profile waives.
type asideData struct {
	Reason  string   `json:"reason"`
	Clauses []string `json:"clauses"`
	Message string   `json:"message"`
}

type evidenceData struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// clauseData is one requirement of the register, with its verdict in each of the runs: "" if a run has no case of it.
type clauseData struct {
	ID         string             `json:"id"`
	Area       string             `json:"area"`
	Level      requirement.Level  `json:"level"`
	Grades     requirement.Party  `json:"grades"`
	Tiers      []requirement.Tier `json:"tiers"`
	Text       string             `json:"text"`
	Source     string             `json:"source"`
	Link       string             `json:"link,omitempty"`
	Position   string             `json:"position,omitempty"`
	Observable string             `json:"observable,omitempty"`
	// Without is the reason why the register has no case for it.
	Without  string          `json:"without,omitempty"`
	Verdicts []suite.Verdict `json:"verdicts"`
	Cases    []string        `json:"cases"`
}

func dataOf(runs []report.Run) *pageData {
	all := &pageData{Cases: casesOf(runs), Register: clausesOf(runs)}
	for _, run := range runs {
		all.Runs = append(all.Runs, runData{
			Name: nameOf(run), Tier: run.Report.Environment.Tier, Again: run.Report.Suite.Again,
			Zones: run.Report.Environment.Zones, Segments: run.Report.Environment.Segments,
		})
	}
	return all
}

// nameOf returns the name that distinguishes a run from the others.
func nameOf(run report.Run) string {
	return cmp.Or(run.Name, run.Report.Environment.Tier+" tier")
}

// casesOf returns the cases of all runs, in the order in which they first appear. Cases that were not selected are left
// out.
func casesOf(runs []report.Run) []caseData {
	cases := []caseData{}
	known := map[string]int{}
	for number, run := range runs {
		for _, c := range run.Report.Cases {
			if c.DecidedBy == suite.ByFilter {
				continue
			}
			key := c.Tier + " " + c.ID
			at, found := known[key]
			if !found {
				at = len(cases)
				known[key] = at
				cases = append(cases, caseData{ID: c.ID, Area: c.Area, Text: c.Text, Requirements: c.Requirements})
			}
			cases[at].Results = append(cases[at].Results, resultOf(number, c, run.Report.Suite.Run))
		}
	}
	return cases
}

func resultOf(run int, c report.Case, name string) resultData {
	result := resultData{
		Run: run, Verdict: c.Verdict, Reason: c.Reason, DecidedBy: c.DecidedBy, Seconds: c.Seconds, Message: c.Message,
		Blamed: c.Blamed, Placement: shortened(c.Placement, name),
	}
	for _, aside := range c.Waived {
		result.Waived = append(result.Waived, asideData{Reason: aside.Reason, Clauses: aside.Clauses, Message: aside.Message})
	}
	for _, e := range c.Evidence {
		result.Evidence = append(result.Evidence, evidenceData{Name: e.Name, Text: textOf(e.Value)})
	}
	if c.Calls != nil {
		result.Calls = []int{c.Calls.First, c.Calls.Last}
	}
	return result
}

// shortened returns the placement with the names of volumes without the name of the run, as in the case.
func shortened(placed *suite.Placement, run string) *suite.Placement {
	if placed == nil || run == "" {
		return placed
	}
	short := suite.Placement{Volumes: slices.Clone(placed.Volumes), Pods: placed.Pods}
	for i := range short.Volumes {
		if _, name, found := strings.Cut(short.Volumes[i].Name, run+"-"); found {
			short.Volumes[i].Name = name
		}
	}
	return &short
}

// textOf returns a value as YAML, and a string unchanged.
func textOf(value yaml.Node) string {
	if value.Kind == yaml.ScalarNode {
		return value.Value
	}
	text, err := yaml.Marshal(&value)
	if err != nil {
		return err.Error()
	}
	return strings.TrimRight(string(text), "\n")
}

// clausesOf returns the register, with the verdict of each requirement in each of the runs.
func clausesOf(runs []report.Run) []clauseData {
	rows := requirement.All()
	clauses := make([]clauseData, 0, len(rows))
	known := map[string]int{}
	for i, r := range rows {
		known[r.ID] = i
		clauses = append(clauses, clauseData{
			ID: r.ID, Area: r.Area, Level: r.Level, Grades: r.Grades, Tiers: r.Tiers, Text: r.Text, Source: r.Source,
			Link: r.Link(), Position: r.Position, Observable: r.Observable, Without: cmp.Or(r.Untestable, r.Uncovered),
			Verdicts: make([]suite.Verdict, len(runs)), Cases: []string{},
		})
	}
	for number, run := range runs {
		for _, r := range run.Report.Requirements {
			at, found := known[r.ID]
			if !found {
				continue // a register of another version
			}
			clauses[at].Verdicts[number] = r.Verdict
			clauses[at].Cases = union(clauses[at].Cases, r.Cases)
		}
	}
	return clauses
}
