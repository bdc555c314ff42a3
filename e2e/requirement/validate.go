// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	idPattern = regexp.MustCompile(`^(K8S-[A-Z][0-9]{1,2}|[A-Z]{2,6}-[0-9]{2})$`)
	levels    = []Level{Must, Should, May}
	parties   = []Party{Vendor, Platform}
	tiers     = []Tier{Spec, Cluster}
)

// validate returns an error for every row that is not well formed, and for every id
// that occurs twice.
func validate(all []Requirement) error {
	var problems []error
	seen := map[string]bool{}
	for _, r := range all {
		if seen[r.ID] {
			problems = append(problems, fmt.Errorf("requirement %s occurs twice", r.ID))
		}
		seen[r.ID] = true
		for _, problem := range r.problems() {
			problems = append(problems, fmt.Errorf("requirement %q: %s", r.ID, problem))
		}
	}
	return errors.Join(problems...)
}

func (r Requirement) problems() []string {
	var found []string
	if !idPattern.MatchString(r.ID) {
		found = append(found, fmt.Sprintf("the id does not match %s", idPattern))
	}
	if !slices.Contains(levels, r.Level) {
		found = append(found, fmt.Sprintf("level %q is none of %v", r.Level, levels))
	}
	if !slices.Contains(parties, r.Grades) {
		found = append(found, fmt.Sprintf("grades %q is none of %v", r.Grades, parties))
	}
	for _, tier := range r.Tiers {
		if !slices.Contains(tiers, tier) {
			found = append(found, fmt.Sprintf("tier %q is none of %v", tier, tiers))
		}
	}
	if (len(r.Tiers) == 0) == (r.Untestable == "") {
		found = append(found, "want either tiers or the reason why it is untestable")
	}
	if r.Untestable != "" && r.Uncovered != "" {
		found = append(found, "want one reason: it is untestable, or it is uncovered")
	}
	if ofKubernetes := strings.HasPrefix(r.ID, "K8S-"); ofKubernetes != (r.Since == "") {
		found = append(found, "want the version of the CSI specification that introduced it in since, or none for a behaviour of Kubernetes")
	} else if !ofKubernetes && CheckVersion(r.Since) != nil {
		found = append(found, CheckVersion(r.Since).Error())
	}
	if r.Source == "" || r.Text == "" {
		found = append(found, "want a source and a text")
	}
	return found
}
