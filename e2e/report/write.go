// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

const (
	yamlFile  = "report.yaml"
	junitFile = "junit.xml"
	callsFile = "calls.jsonl"
)

// WriteDir writes report.yaml, junit.xml and, of cases that recorded their calls, calls.jsonl into a directory, which it
// makes if need be. Each file appears whole or not at all, in the place of an earlier run's.
func WriteDir(dir string, r *ConformanceReport, run Finished) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the report directory: %w", err)
	}
	err := Replace(dir, yamlFile, func(path string) error { return writeYAML(path, r) })
	if err != nil {
		return err
	}
	if err := writeCalls(dir, callsOf(r)); err != nil {
		return err
	}
	return Replace(dir, junitFile, func(path string) error { return writeJUnit(path, r, run) })
}

// Replace has a file written under a passing name and then gives it its own.
func Replace(dir, name string, write func(path string) error) error {
	passing := filepath.Join(dir, "."+name+".part")
	if err := write(passing); err != nil {
		os.Remove(passing)
		return fmt.Errorf("writing %s: %w", filepath.Join(dir, name), err)
	}
	if err := os.Rename(passing, filepath.Join(dir, name)); err != nil {
		os.Remove(passing)
		return fmt.Errorf("putting %s in its place: %w", filepath.Join(dir, name), err)
	}
	return nil
}

func writeYAML(path string, r any) error {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(r); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}

// writeCalls writes each call that a case recorded on a line of its own. Without any, there is no file.
func writeCalls(dir string, calls iter.Seq[[]byte]) error {
	var text bytes.Buffer
	for call := range calls {
		text.Write(call)
		text.WriteByte('\n')
	}
	if text.Len() > 0 {
		return Replace(dir, callsFile, func(path string) error { return os.WriteFile(path, text.Bytes(), 0o644) })
	}
	if err := os.Remove(filepath.Join(dir, callsFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing an earlier run's calls: %w", err)
	}
	return nil
}

// callsOf are the calls that the report's cases recorded.
func callsOf(r *ConformanceReport) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, c := range r.Cases {
			for _, call := range c.recorded {
				if !yield(call) {
					return
				}
			}
		}
	}
}
