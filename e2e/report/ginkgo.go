// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// FromGinkgo makes the report of a finished, or interrupted, Ginkgo run of one tier. The driver, the environment and
// the suite's version are the caller's to fill in. Cases come in the order in which the suite declares them, whatever
// the seed.
func FromGinkgo(run types.Report, tier string, lookup Lookup) *ConformanceReport {
	cases := casesOf(run, tier, lookup)
	return &ConformanceReport{
		APIVersion:   APIVersion,
		Kind:         Kind,
		Suite:        Suite{Seed: run.SuiteConfig.RandomSeed},
		Driver:       Driver{Capabilities: []string{}},
		Environment:  Environment{Tier: tier, Zones: []string{}, Sidecars: map[string]string{}},
		Summary:      summarize(cases, run.RunTime),
		Requirements: requirementsOf(cases, lookup),
		Cases:        cases,
	}
}

// Ordered are a run's cases in the order in which the suite declares them, whatever the seed.
func Ordered(run types.Report) []types.SpecReport {
	specs := slices.DeleteFunc(slices.Clone(run.SpecReports), func(spec types.SpecReport) bool { return !isCase(spec) })
	slices.SortStableFunc(specs, func(a, b types.SpecReport) int {
		return cmp.Or(
			cmp.Compare(a.LeafNodeLocation.FileName, b.LeafNodeLocation.FileName),
			cmp.Compare(a.LeafNodeLocation.LineNumber, b.LeafNodeLocation.LineNumber),
			cmp.Compare(areaOf(a), areaOf(b))) // csi-sanity's are declared once for each segment
	})
	return specs
}

func casesOf(run types.Report, tier string, lookup Lookup) []Case {
	asked := askedFor(run)
	cases := []Case{}
	for _, spec := range Ordered(run) {
		judged := Judge(spec, lookup)
		if neverBegan(spec) && !asked(spec.Labels()) {
			judged = Judgement{Judgement: verdict.Judgement{Verdict: suite.Skipped, DecidedBy: suite.ByFilter, Reason: "not among the cases asked for"}}
		}
		cases = append(cases, caseOf(spec, judged, tier))
	}
	number(cases)
	// An interrupt between two cases, or a suite that could not begin, is nobody's verdict yet and must not go unseen.
	hasError := slices.ContainsFunc(cases, func(c Case) bool { return c.Verdict == suite.Errored })
	if reasons := run.SpecialSuiteFailureReasons; len(reasons) > 0 && !hasError {
		cases = append(cases, Case{ID: "suite", Tier: tier, Area: "suite", Requirements: []string{}, Verdict: suite.Errored,
			Reason: "the run did not end as it should", Message: strings.Join(reasons, "\n")})
	}
	return cases
}

// number gives the calls of each case their lines of calls.jsonl.
func number(cases []Case) {
	lines := 0
	for i := range cases {
		if count := len(cases[i].recorded); count > 0 {
			cases[i].Calls = &Lines{First: lines + 1, Last: lines + count}
			lines += count
		}
	}
}

// isCase tells the suite's cases, and set-up and clean-up of the whole suite that failed, from Ginkgo's other nodes.
func isCase(spec types.SpecReport) bool {
	return spec.LeafNodeType == types.NodeTypeIt || spec.Failed()
}

func caseOf(spec types.SpecReport, judged Judgement, tier string) Case {
	id, area, text := Identify(spec)
	return Case{
		ID:           cmp.Or(id, text, spec.LeafNodeType.String()),
		Tier:         tier,
		Area:         area,
		Text:         text,
		Requirements: append([]string{}, verdict.Requirements(spec.Labels())...),
		Blamed:       judged.Blamed,
		Verdict:      judged.Verdict,
		Reason:       judged.Reason,
		DecidedBy:    judged.DecidedBy,
		Seconds:      seconds(verdict.TimeOf(spec)),
		Message:      plain(judged.Message),
		Evidence:     evidenceOf(spec),
		Placement:    verdict.PlacementOf(spec),
		recorded:     verdict.CallsOf(spec),
	}
}

// neverBegan tells a case that was not asked for, or that an interrupt kept from running, from one that skipped itself.
func neverBegan(spec types.SpecReport) bool {
	return spec.State == types.SpecStateSkipped && spec.Failure.Message == "" || spec.State == types.SpecStatePending
}

// askedFor is the run's label filter: Ginkgo gives a case that was not asked for and one that an interrupt kept from
// running the same state.
func askedFor(run types.Report) func(labels []string) bool {
	filter, err := types.ParseLabelFilter(run.SuiteConfig.LabelFilter)
	if err != nil {
		return func([]string) bool { return true }
	}
	return filter
}

// Identify returns a case's id, its area and its text, which does not repeat them. What is no case has no id.
func Identify(spec types.SpecReport) (id, area, text string) {
	return verdict.CaseID(spec.Labels()), areaOf(spec), textOf(spec)
}

// areaOf is the text of the outermost container.
func areaOf(spec types.SpecReport) string {
	if len(spec.ContainerHierarchyTexts) == 0 {
		return "suite"
	}
	return spec.ContainerHierarchyTexts[0]
}

// textOf is what is written below the area, without the case's id.
func textOf(spec types.SpecReport) string {
	var texts []string
	if len(spec.ContainerHierarchyTexts) > 0 {
		texts = append(texts, spec.ContainerHierarchyTexts[1:]...)
	}
	texts = append(texts, strings.TrimPrefix(spec.LeafNodeText, verdict.CaseID(spec.Labels())+" "))
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), " ")
}

func summarize(cases []Case, took time.Duration) Summary {
	sum := Summary{Seconds: seconds(took)}
	for _, c := range cases {
		sum.count(c.Verdict)
	}
	return sum
}

func (s *Summary) count(v suite.Verdict) {
	switch v {
	case suite.Passed:
		s.Pass++
	case suite.Failed:
		s.Fail++
	case suite.Warned:
		s.Warn++
	case suite.Errored:
		s.Error++
	case suite.Skipped:
		s.Skip++
	}
}

// seconds rounds to milliseconds: more would only make reports differ.
func seconds(d time.Duration) float64 {
	return math.Round(d.Seconds()*1000) / 1000
}
