package report

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// FromGinkgo makes the report of a finished, or interrupted, Ginkgo run of one tier. The driver, the environment and
// the suite's version are the caller's to fill in. Cases come in the order in which the suite declares them, whatever
// the seed.
func FromGinkgo(run types.Report, tier string, lookup Lookup) *ConformanceReport {
	cases := casesOf(run, tier)
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

func casesOf(run types.Report, tier string) []Case {
	cases := []Case{}
	for _, spec := range Ordered(run) {
		cases = append(cases, caseOf(run, spec, tier))
	}
	number(cases)
	// An interrupt between two cases, or a suite that could not begin, is nobody's verdict yet and must not go unseen.
	hasError := slices.ContainsFunc(cases, func(c Case) bool { return c.Verdict == verdict.Error })
	if reasons := run.SpecialSuiteFailureReasons; len(reasons) > 0 && !hasError {
		cases = append(cases, Case{ID: "suite", Tier: tier, Area: "suite", Requirements: []string{}, Verdict: verdict.Error,
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

func caseOf(run types.Report, spec types.SpecReport, tier string) Case {
	judged := judge(run, spec)
	area, text, id := areaOf(spec), textOf(spec), verdict.CaseID(spec.Labels())
	if id == "" {
		id = cmp.Or(text, spec.LeafNodeType.String())
	}
	return Case{
		ID:           id,
		Tier:         tier,
		Area:         area,
		Text:         text,
		Requirements: append([]string{}, verdict.Requirements(spec.Labels())...),
		Blamed:       verdict.Blamed(spec, judged.Verdict),
		Verdict:      judged.Verdict,
		Reason:       judged.Reason,
		DecidedBy:    judged.DecidedBy,
		Seconds:      seconds(spec.RunTime),
		Message:      judged.Message,
		Evidence:     evidenceOf(spec),
		recorded:     verdict.CallsOf(spec),
	}
}

// judge is verdict.Judge, and knows in addition which cases the run's filters left out.
func judge(run types.Report, spec types.SpecReport) verdict.Judgement {
	untouched := spec.State == types.SpecStateSkipped && spec.Failure.Message == "" || spec.State == types.SpecStatePending
	if untouched && filteredOut(run, spec) {
		return verdict.Judgement{Verdict: verdict.Skipped, DecidedBy: verdict.ByFilter, Reason: "not among the cases asked for"}
	}
	return verdict.Judge(spec)
}

// filteredOut asks the run's filters again: Ginkgo gives a case that was not asked for and one that an interrupt kept
// from running the same state.
func filteredOut(run types.Report, spec types.SpecReport) bool {
	config := run.SuiteConfig
	text := run.SuiteDescription + " " + spec.FullText()
	if len(config.FocusStrings) > 0 && !matches(config.FocusStrings, text) {
		return true
	}
	if len(config.SkipStrings) > 0 && matches(config.SkipStrings, text) {
		return true
	}
	filter, err := types.ParseLabelFilter(config.LabelFilter)
	return err == nil && !filter(spec.Labels())
}

func matches(patterns []string, text string) bool {
	pattern, err := regexp.Compile(strings.Join(patterns, "|"))
	return err == nil && pattern.MatchString(text)
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

func (s *Summary) count(v verdict.Verdict) {
	switch v {
	case verdict.Pass:
		s.Pass++
	case verdict.Fail:
		s.Fail++
	case verdict.Warning:
		s.Warn++
	case verdict.Error:
		s.Error++
	case verdict.Skipped:
		s.Skip++
	}
}

// seconds rounds to milliseconds: more would only make reports differ.
func seconds(d time.Duration) float64 {
	return math.Round(d.Seconds()*1000) / 1000
}
