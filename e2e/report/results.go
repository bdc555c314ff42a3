// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"math"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Finished is a run of one tier that has ended, with or without an interrupt.
type Finished struct {
	// Tier is "spec" or "cluster".
	Tier string
	// CSI is the version of the CSI specification that the driver is judged by.
	CSI string
	// Seed reproduces the order. Shuffle says whether it ordered all cases, and not only their areas.
	Seed    int64
	Shuffle bool
	Began   time.Time
	Took    time.Duration
	// Command and Again are the fields of suite.Options.
	Command, Again string
	// Results are the results of all cases, in the order in which the suite declares them.
	Results []suite.Result
	// Waivers are the waivers that applied to the results.
	Waivers []suite.Waiver
}

// FromResults returns the report of a run. The caller fills in the driver, the environment and the suite's version.
func FromResults(run Finished, lookup suite.Lookup) *ConformanceReport {
	cases := make([]Case, 0, len(run.Results))
	for _, result := range run.Results {
		cases = append(cases, caseOf(result, run.Tier))
	}
	number(cases)
	return &ConformanceReport{
		APIVersion:   APIVersion,
		Kind:         Kind,
		Suite:        suiteOf(run),
		Driver:       Driver{Capabilities: []string{}},
		Environment:  Environment{Tier: run.Tier, Zones: []string{}, Sidecars: map[string]string{}},
		Summary:      Summarize(cases, seconds(run.Took)),
		Waivers:      waiversOf(run),
		Requirements: RequirementsOf(cases, lookup),
		Cases:        cases,
	}
}

// suiteOf returns the suite's part of the report.
func suiteOf(run Finished) Suite {
	s := Suite{CSI: run.CSI, Seed: run.Seed, Command: run.Command}
	if !run.Began.IsZero() {
		s.Began = run.Began.UTC().Format(time.RFC3339)
	}
	if run.Again != "" {
		s.Again = fmt.Sprintf("%s --seed %d", run.Again, run.Seed)
	}
	return s
}

func caseOf(r suite.Result, tier string) Case {
	c := Case{
		ID:           r.ID,
		Tier:         tier,
		Area:         r.Area,
		Text:         r.Text,
		Requirements: append([]string{}, r.Requirements...),
		Blamed:       r.Blamed,
		Verdict:      r.Verdict,
		Reason:       r.Reason,
		DecidedBy:    r.DecidedBy,
		Seconds:      seconds(r.Took),
		Message:      plain(r.Message),
		Closing:      r.Closing,
		recorded:     r.Calls,
	}
	for _, aside := range r.Waived {
		aside.Message = plain(aside.Message)
		c.Waived = append(c.Waived, aside)
	}
	for _, proof := range r.Evidence {
		c.Evidence = append(c.Evidence, Evidence{Name: proof.Name, Value: node(proof.Value)})
	}
	if r.Placed != nil {
		if placed := r.Placed(); len(placed.Volumes)+len(placed.Pods) > 0 {
			c.Placement = &placed
		}
	}
	return c
}

// number assigns lines of calls.jsonl to the calls of each case.
func number(cases []Case) {
	lines := 0
	for i := range cases {
		if cases[i].recorded == nil {
			continue
		}
		if count := cases[i].recorded.Len(); count > 0 {
			cases[i].Calls = &Lines{First: lines + 1, Last: lines + count}
			lines += count
		}
	}
}

// Summarize counts the cases by verdict; seconds is the duration of the run.
func Summarize(cases []Case, seconds float64) Summary {
	sum := Summary{Seconds: seconds}
	for _, c := range cases {
		sum.count(c)
	}
	return sum
}

func (s *Summary) count(c Case) {
	switch c.Verdict {
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
		if c.DecidedBy == suite.ByWaiver {
			s.Waived++
		}
	}
}

// seconds rounds to milliseconds: more digits would only make reports differ.
func seconds(d time.Duration) float64 {
	return math.Round(d.Seconds()*1000) / 1000
}

// node reads JSON, which is YAML in flow style, and converts it to block style: YAML nodes keep the order of fields and the
// digits of numbers.
func node(data []byte) yaml.Node {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil || len(document.Content) == 0 {
		return yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: string(data)}
	}
	value := document.Content[0]
	block(value)
	return *value
}

func block(n *yaml.Node) {
	n.Style = 0
	for _, child := range n.Content {
		block(child)
	}
}
