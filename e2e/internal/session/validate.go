// SPDX-License-Identifier: Apache-2.0

package session

import (
	"errors"
	"fmt"
	"os"
	"regexp"

	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

// Choose returns the cases that the valid options select, in order. If no case is left, the error names the filters.
func Choose(o suite.Options, cases []suite.Listed) ([]suite.Listed, error) {
	labelled, err := ginkgo.LabelFilter(o.Label)
	if err != nil {
		return nil, err
	}
	return o.Choose(cases, labelled)
}

// Validate returns an error for invalid options, so that a command can refuse them before it changes anything. It creates
// the report directory if it does not exist.
func Validate(o suite.Options) error {
	if err := compiles("focus", o.Focus); err != nil {
		return err
	}
	if err := compiles("skip", o.Skip); err != nil {
		return err
	}
	if _, err := ginkgo.LabelFilter(o.Label); err != nil {
		return err
	}
	for _, id := range o.Requirements {
		if _, found := requirement.ByID(id); !found {
			return fmt.Errorf("there is no requirement %q: want an id that `csi-topo requirements` prints, such as TR-07", id)
		}
	}
	if o.Timeout < 0 {
		return fmt.Errorf("the time limit of the run is %s: want a positive duration, such as 30m, or none", o.Timeout)
	}
	if o.ReportDir == "" {
		return nil
	}
	return writable(o.ReportDir)
}

func compiles(option string, patterns []string) error {
	for _, pattern := range patterns {
		if _, err := regexp.Compile(pattern); err != nil {
			return fmt.Errorf("%s %q is not a regular expression: %w", option, pattern, err)
		}
	}
	return nil
}

func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("report directory cannot be made: %w", err)
	}
	probe, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return fmt.Errorf("report directory cannot be written to: %w", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
