// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// Merge writes the reports of several runs into a directory, as one report.yaml and one calls.jsonl. The names of the
// runs must differ.
func Merge(dir string, runs []Run) error {
	merged := list{APIVersion: APIVersion, Kind: ListKind}
	calls := 0
	for _, run := range runs {
		if slices.ContainsFunc(merged.Runs, func(other Run) bool { return other.Name == run.Name }) {
			return fmt.Errorf("two of the reports are named %q, after their directories: want directories of different names", run.Name)
		}
		merged.Runs = append(merged.Runs, Run{Name: run.Name, Report: shifted(run.Report, calls)})
		calls += len(run.Calls)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the report directory: %w", err)
	}
	text, err := encoded(merged)
	if err != nil {
		return err
	}
	if err := Replace(dir, yamlFile, func(path string) error { return os.WriteFile(path, text, 0o644) }); err != nil {
		return err
	}
	return writeCalls(dir, func(yield func(json.RawMessage, error) bool) {
		for _, run := range runs {
			for _, call := range run.Calls {
				if !yield(call, nil) {
					return
				}
			}
		}
	})
}
