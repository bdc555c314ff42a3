// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// filters are the flags that select cases.
type filters struct {
	focus, skip, requirements []string
	label, rerunFailed        string
	// cases are ids, the arguments of the command.
	cases []string
}

func (f *filters) addTo(command *cobra.Command) {
	flags := command.Flags()
	flags.StringArrayVar(&f.focus, "focus", nil, "only the cases whose id, area or text matches this `regexp`; may be repeated")
	flags.StringArrayVar(&f.skip, "skip", nil, "no cases whose id, area or text matches this `regexp`; may be repeated")
	flags.StringVar(&f.label, "label", "", "only the cases whose labels match this Ginkgo label `filter`, such as 'needs:exhaustion && !csi-sanity'")
	flags.StringArrayVar(&f.requirements, "requirement", nil, "only the cases that verify the requirement of this `id`, such as TR-07; may be repeated")
	flags.StringVar(&f.rerunFailed, "rerun-failed", "", "only the cases that failed, or ended in an error, in this report.yaml, a `file` or its directory")
}

// fill sets the filters in the options.
func (f filters) fill(o *suite.Options) error {
	o.Focus, o.Skip, o.Label, o.Requirements = f.focus, f.skip, f.label, f.requirements
	exists := caseExists()
	for _, id := range f.cases {
		if !exists(id) {
			return fmt.Errorf("there is no case %q: want ids that `csi-topo list` prints", id)
		}
	}
	o.Cases = f.cases
	switch {
	case f.rerunFailed == "":
		return nil
	case len(f.cases) > 0:
		return errors.New("case ids are given, and --rerun-failed is set: want only one of them")
	}
	failed, err := failedIn(f.rerunFailed)
	if err != nil {
		return err
	}
	o.Cases = failed
	return nil
}

// failedIn returns the ids of the cases that failed, or ended in an error, in a report.
func failedIn(path string) ([]string, error) {
	r, err := report.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var failed []string
	for _, c := range r.Cases {
		if c.Verdict == suite.Failed || c.Verdict == suite.Errored {
			failed = append(failed, c.ID)
		}
	}
	if len(failed) == 0 {
		return nil, errors.New("no case failed in " + path + ": there is nothing to run again")
	}
	return failed, nil
}
