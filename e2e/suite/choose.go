// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Choose returns the cases that the options select, in their order. The patterns of the options are valid; labelled reports
// whether the labels of a case match the label filter. If no case is left, the error contains the selection.
func (o Options) Choose(cases []Listed, labelled func(labels []string) bool) ([]Listed, error) {
	var chosen []Listed
	for _, c := range cases {
		if labelled(c.labels) && o.matches(c) && o.names(c) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, o.nothingLeft(cases)
	}
	return chosen, nil
}

// names reports whether the options name the case: it verifies one of Requirements and is one of Cases, where these are
// set.
func (o Options) names(c Listed) bool {
	verifies := func(id string) bool { return slices.Contains(c.Requirements, id) }
	return (len(o.Requirements) == 0 || slices.ContainsFunc(o.Requirements, verifies)) &&
		(len(o.Cases) == 0 || slices.Contains(o.Cases, c.ID))
}

// matches reports whether the case's id, area or text matches one of Focus, if there is any, and none matches one of
// Skip.
func (o Options) matches(c Listed) bool {
	return (len(o.Focus) == 0 || anyMatches(o.Focus, c)) && !anyMatches(o.Skip, c)
}

// anyMatches reports whether one of the patterns, which are valid, matches the case's id, area or text, each separately: an
// anchor in a pattern would not match in all of them as one text.
func anyMatches(patterns []string, c Listed) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		compiled, err := regexp.Compile(pattern)
		return err == nil && slices.ContainsFunc([]string{c.ID, c.Area, c.Text}, compiled.MatchString)
	})
}

// nothingLeft returns the error for a choice that leaves no case. It contains the selection and one hint.
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
	if o.Label != "" && len(o.Focus)+len(o.Skip)+len(o.Requirements)+len(o.Cases) == 0 {
		hint = "their labels are case:ID, req:ID, needs:WHAT, as `csi-topo list -o wide` prints them" + ownLabels(cases)
	}
	return fmt.Errorf("none of the %d cases is left by %s; %s", len(cases), strings.Join(asked, ", "), hint)
}

// ownLabels lists the labels of cases other than ids, requirements and needs.
func ownLabels(cases []Listed) string {
	var own []string
	for _, c := range cases {
		for _, label := range c.labels {
			if !strings.Contains(label, ":") && !slices.Contains(own, label) {
				own = append(own, label)
			}
		}
	}
	if len(own) == 0 {
		return ", and no others"
	}
	return ", and " + strings.Join(own, ", ")
}
