// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Verify returns an error for each reason why the report cannot be published: it does not identify the driver and the
// suite, does not have all cases of its tier, leaves out cases of the core profile, or contradicts its own cases. listed
// are the cases of the tier. report.CheckDigest shows whether it was changed.
func Verify(r *report.ConformanceReport, listed []suite.Listed) error {
	return errors.Join(checkOrigin(r), checkComplete(r, listed), checkCore(r), checkTotals(r), checkPublished(r))
}

// VerifyOlder is like Verify for a report of another version of the suite, which may have other cases and rules: it returns
// an error for each reason that does not depend on these.
func VerifyOlder(r *report.ConformanceReport) error {
	return errors.Join(checkOrigin(r), checkSummary(r), checkPublished(r))
}

// checkOrigin returns an error for each missing fact about the suite, the driver or the run.
func checkOrigin(r *report.ConformanceReport) error {
	var problems []error
	version, commit := r.Suite.Version, r.Suite.Commit
	switch {
	case strings.HasSuffix(version, "+dirty") || strings.HasSuffix(commit, "+dirty"):
		problems = append(problems, fmt.Errorf("the suite was changed after the commit %s: want a release, or a commit without changes", commit))
	case commit == "" && !strings.HasPrefix(version, "v"):
		problems = append(problems, fmt.Errorf("nothing says which suite ran: its version is %q, and its commit unknown: want a release, or a build of a clone with git", version))
	}
	if err := requirement.CheckVersion(r.Suite.CSI); err != nil {
		problems = append(problems, fmt.Errorf("suite.csi: %w", err))
	}
	for _, field := range []struct{ name, value string }{
		{"organization", r.Implementation.Organization}, {"project", r.Implementation.Project}, {"url", r.Implementation.URL}, {"version", r.Implementation.Version},
	} {
		if field.value == "" {
			problems = append(problems, fmt.Errorf("implementation.%s is empty: set it in the section implementation of the vendor's profile", field.name))
		}
	}
	if err := CheckBackend(r.Implementation.Backend); err != nil {
		problems = append(problems, err)
	}
	if r.Suite.Command == "" {
		problems = append(problems, errors.New("suite.command is empty: want a run of the command csi-topo, which others can repeat"))
	}
	return errors.Join(problems...)
}

// checkComplete returns an error for each case that is missing, is duplicate, or did not run to its end.
func checkComplete(r *report.ConformanceReport, listed []suite.Listed) error {
	var problems []error
	known := map[string]suite.Listed{}
	for _, c := range listed {
		known[c.ID] = c
	}
	seen := map[string]bool{}
	for _, c := range r.Cases {
		of, exists := known[c.ID]
		switch {
		case seen[c.ID]:
			problems = append(problems, fmt.Errorf("the case %s is listed twice", c.ID))
		case !exists && len(c.Requirements) > 0:
			problems = append(problems, fmt.Errorf("the case %s does not exist in this csi-topo: verify the report with the version that wrote it", c.ID))
		case exists && !slices.Equal(c.Requirements, of.Requirements):
			problems = append(problems, fmt.Errorf("the case %s verifies %s in the report, and %s in this csi-topo: verify the report with the version that wrote it",
				c.ID, strings.Join(c.Requirements, ", "), strings.Join(of.Requirements, ", ")))
		case c.Reason == suite.NotRun || c.Reason == suite.Interrupted:
			problems = append(problems, fmt.Errorf("the case %s: %s", c.ID, c.Reason))
		case c.Provisional && !Provisional(c.ID):
			problems = append(problems, fmt.Errorf("the case %s is called provisional, but has counted since %s: verify the report with the version that wrote it", c.ID, Release(c.ID)))
		}
		seen[c.ID] = true
	}
	for _, c := range listed {
		if !seen[c.ID] && !Provisional(c.ID) {
			problems = append(problems, fmt.Errorf("the case %s is missing", c.ID))
		}
	}
	return errors.Join(problems...)
}

// checkCore returns an error for each case on the core profile that a filter left out, or that a waiver sets aside.
func checkCore(r *report.ConformanceReport) error {
	var core []string
	for _, p := range requirement.Profiles() {
		if p.Core {
			core = p.All()
		}
	}
	ofCore := func(id string) bool { return slices.Contains(core, id) }
	var problems []error
	for _, c := range r.Cases {
		if c.Provisional || !slices.ContainsFunc(c.Requirements, ofCore) {
			continue
		}
		if _, newer := requirement.AllNewer(c.Requirements, r.Suite.CSI); leftOut(c) && !newer {
			problems = append(problems, fmt.Errorf("the case %s of the core profile was left out: %s", c.ID, c.Reason))
		}
		for _, aside := range c.Waived {
			if !aside.Newer && slices.ContainsFunc(aside.Clauses, ofCore) {
				problems = append(problems, fmt.Errorf("the case %s of the core profile is waived: %s", c.ID, aside))
			}
		}
	}
	return errors.Join(problems...)
}

// checkSummary returns an error if the summary does not follow from the cases.
func checkSummary(r *report.ConformanceReport) error {
	if want := report.Summarize(r.Cases, r.Summary.Seconds); r.Summary != want {
		return fmt.Errorf("the summary says %s, and the cases %s", r.Summary, want)
	}
	return nil
}

// checkTotals returns an error for each sum in the report that does not follow from its cases.
func checkTotals(r *report.ConformanceReport) error {
	problems := []error{checkSummary(r)}
	if want := report.RequirementsOf(r.Cases, requirement.Lookup); !reflect.DeepEqual(r.Requirements, want) {
		problems = append(problems, errors.New("the verdicts of requirements do not follow from the cases"))
	}
	if want := Judge(r); !reflect.DeepEqual(r.Profiles, want) {
		problems = append(problems, errors.New("the outcomes of profiles do not follow from the cases"))
	}
	return errors.Join(problems...)
}

// checkPublished returns an error if a published report holds texts of the driver.
func checkPublished(r *report.ConformanceReport) error {
	if r.Original == "" {
		return nil
	}
	if again := Publish(r); !reflect.DeepEqual(again.Cases, r.Cases) {
		return errors.New("the report says that it is published, but contains texts of the driver: want what csi-topo report publish wrote")
	}
	return nil
}
