package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/runner"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// filters are the flags that choose cases.
type filters struct {
	focus, skip, requirements []string
	label, rerunFailed        string
}

func (f *filters) addTo(command *cobra.Command) {
	flags := command.Flags()
	flags.StringArrayVar(&f.focus, "focus", nil, "only the cases whose id, area or text matches this regular expression; may be repeated")
	flags.StringArrayVar(&f.skip, "skip", nil, "not the cases whose id, area or text matches this regular expression; may be repeated")
	flags.StringVar(&f.label, "label", "", "only the cases whose labels match this Ginkgo label filter, such as 'needs:exhaustion && !csi-sanity'")
	flags.StringArrayVar(&f.requirements, "requirement", nil, "only the cases that verify this requirement, such as TR-07; may be repeated")
	flags.StringVar(&f.rerunFailed, "rerun-failed", "", "only the cases that failed, or ended as an error, in this report.yaml")
}

// fill puts the filters into the options.
func (f filters) fill(o *runner.Options) error {
	o.Focus, o.Skip, o.Label, o.Requirements = f.focus, f.skip, f.label, f.requirements
	if f.rerunFailed == "" {
		return nil
	}
	failed, err := failedIn(f.rerunFailed)
	if err != nil {
		return err
	}
	o.Cases = failed
	return nil
}

// failedIn are the ids of the cases that failed, or ended as an error, in a report.
func failedIn(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the report to run again: %w", err)
	}
	var r report.ConformanceReport
	if err := yaml.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("reading the report %s: %w", path, err)
	}
	if r.Kind != report.Kind {
		return nil, fmt.Errorf("%s is of kind %q: want a report.yaml of csi-topo, of kind %s", path, r.Kind, report.Kind)
	}
	var failed []string
	for _, c := range r.Cases {
		if c.Verdict == verdict.Fail || c.Verdict == verdict.Error {
			failed = append(failed, c.ID)
		}
	}
	if len(failed) == 0 {
		return nil, errors.New("no case failed in " + path + ": there is nothing to run again")
	}
	return failed, nil
}
