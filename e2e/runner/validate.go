// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"errors"
	"fmt"
	"os"
	"regexp"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// Validate says what is wrong with the options, so that a command can refuse them before it changes anything. It makes
// the report directory if it is not there.
func (o Options) Validate() error {
	if err := compiles("focus", o.Focus); err != nil {
		return err
	}
	if err := compiles("skip", o.Skip); err != nil {
		return err
	}
	if _, err := types.ParseLabelFilter(o.Label); err != nil {
		return fmt.Errorf("label filter %q is not one that Ginkgo understands", o.Label)
	}
	for _, id := range o.Requirements {
		if _, found := requirement.ByID(id); !found {
			return fmt.Errorf("there is no requirement %q: want an id that `csi-topo requirements` prints, such as TR-07", id)
		}
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
