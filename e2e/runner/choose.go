// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Choose returns those of the cases that the options, which are valid, ask for, in their order. That none is left is an
// error, which says what was asked for.
func (o Options) Choose(cases []Listed) ([]Listed, error) {
	labelled, err := o.labelled()
	if err != nil {
		return nil, err
	}
	var chosen []Listed
	for _, c := range cases {
		if labelled(c.labels) && o.matches(c) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, o.nothingLeft(cases)
	}
	return chosen, nil
}

// labelled returns whether a case's labels are asked for.
func (o Options) labelled() (types.LabelFilter, error) {
	filters := []string{o.Label}
	if len(o.Requirements) > 0 {
		filters = append(filters, oneOf("req", o.Requirements))
	}
	if len(o.Cases) > 0 {
		filters = append(filters, oneOf("case", o.Cases))
	}
	var parsed []types.LabelFilter
	for _, filter := range filters {
		p, err := types.ParseLabelFilter(filter)
		if err != nil {
			return nil, fmt.Errorf("label filter %q: %w", filter, err)
		}
		parsed = append(parsed, p)
	}
	return func(labels []string) bool {
		return !slices.ContainsFunc(parsed, func(matches types.LabelFilter) bool { return !matches(labels) })
	}, nil
}

// oneOf is a filter for the labels key:value with any of the values.
func oneOf(key string, values []string) string {
	patterns := make([]string, 0, len(values))
	for _, value := range values {
		patterns = append(patterns, regexp.QuoteMeta(value))
	}
	return "/^" + key + ":(" + strings.Join(patterns, "|") + ")$/"
}

// matches reports whether the case's id, area or text matches one of Focus, if there is any, and none of them one of Skip.
func (o Options) matches(c Listed) bool {
	return (len(o.Focus) == 0 || anyMatches(o.Focus, c)) && !anyMatches(o.Skip, c)
}

// anyMatches reports whether one of the patterns, which Validate has compiled before, matches the case's id, area or text,
// each on its own: an anchor in a pattern would not match in all of them as one text.
func anyMatches(patterns []string, c Listed) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		compiled, err := regexp.Compile(pattern)
		return err == nil && slices.ContainsFunc([]string{c.ID, c.Area, c.Text}, compiled.MatchString)
	})
}

// nothingLeft says what was asked for, and gives one hint.
func (o Options) nothingLeft(cases []Listed) error {
	var asked []string
	for _, filter := range []struct {
		name   string
		values []string
	}{{"focus", o.Focus}, {"skip", o.Skip}, {"label", []string{o.Label}}, {"requirement", o.Requirements}, {"case", o.Cases}} {
		for _, value := range filter.values {
			if value != "" {
				asked = append(asked, fmt.Sprintf("%s %q", filter.name, value))
			}
		}
	}
	if len(asked) == 0 {
		return errors.New("there is no case to run")
	}
	hint := "focus and skip match a case's id, its area or its text, which `csi-topo list -o wide` prints"
	ignoringCase := Options{}
	for _, pattern := range o.Focus {
		ignoringCase.Focus = append(ignoringCase.Focus, "(?i)"+pattern)
	}
	if len(o.Focus) > 0 && !slices.ContainsFunc(cases, o.matches) && slices.ContainsFunc(cases, ignoringCase.matches) {
		hint = "upper and lower case matter, unless the pattern begins with (?i)"
	}
	return fmt.Errorf("none of the %d cases is left by %s; %s", len(cases), strings.Join(asked, ", "), hint)
}

// leave has the preview of a run say that all but the chosen cases are skipped, and returns the label filter with which Ginkgo
// runs the chosen ones alone: its own focus and skip match all texts of a case as one.
func leave(preview *types.Report, chosen []Listed) (filter string) {
	left := ids(chosen)
	skipped := false
	for i := range preview.SpecReports {
		spec := &preview.SpecReports[i]
		if spec.LeafNodeType == types.NodeTypeIt && !slices.Contains(left, verdict.CaseID(spec.Labels())) {
			spec.State, skipped = types.SpecStateSkipped, true
		}
	}
	preview.PreRunStats.SpecsThatWillRun = len(chosen)
	if skipped {
		preview.SuiteConfig.LabelFilter = oneOf("case", left)
	}
	return preview.SuiteConfig.LabelFilter
}

func ids(cases []Listed) []string {
	found := make([]string, 0, len(cases))
	for _, c := range cases {
		found = append(found, c.ID)
	}
	return found
}
