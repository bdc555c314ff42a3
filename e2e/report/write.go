// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// WriteDir writes report.yaml, junit.xml and, if cases recorded calls, calls.jsonl into a directory, which it creates
// if necessary. Each file appears whole or not at all, in place of an earlier run's.
func WriteDir(dir string, r *ConformanceReport, run Finished) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the report directory: %w", err)
	}
	err := WriteYAML(dir, r)
	if err != nil {
		return err
	}
	return errors.Join(
		Replace(dir, junitFile, func(path string) error { return writeJUnit(path, r, run) }),
		writeCalls(dir, callsOf(r)))
}

// Replace lets write create the file under a temporary name, and then renames it to name.
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

// WriteYAML writes report.yaml into a directory, with the digest of its content.
func WriteYAML(dir string, r *ConformanceReport) error {
	without := *r
	without.Digest = ""
	text, err := encoded(without)
	if err != nil {
		return err
	}
	return Replace(dir, yamlFile, func(path string) error { return os.WriteFile(path, withDigest(text), 0o644) })
}

func encoded(r any) ([]byte, error) {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(r); err != nil {
		return nil, fmt.Errorf("encoding a report: %w", err)
	}
	return text.Bytes(), nil
}

// writeCalls writes each call on its own line. Without calls, it writes no file.
func writeCalls(dir string, calls iter.Seq2[json.RawMessage, error]) error {
	written := 0
	err := Replace(dir, callsFile, func(path string) (err error) {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		out := bufio.NewWriter(file)
		for call, err := range calls {
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(out, "%s\n", call); err != nil {
				return err
			}
			written++
		}
		return out.Flush()
	})
	if err != nil || written > 0 {
		return err
	}
	if err := os.Remove(filepath.Join(dir, callsFile)); err != nil {
		return fmt.Errorf("removing an earlier run's calls: %w", err)
	}
	return nil
}

// callsOf yields the calls that the report's cases recorded, as many of each case as it has lines.
func callsOf(r *ConformanceReport) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for _, c := range r.Cases {
			if c.Calls == nil || c.recorded == nil {
				continue
			}
			left := c.Calls.Last - c.Calls.First + 1
			for call, err := range c.recorded.All() {
				if left == 0 {
					break
				}
				if !yield(call, err) {
					return
				}
				left--
			}
		}
	}
}
