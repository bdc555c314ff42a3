// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Run is one of several reports that are shown together, such as one for each Kubernetes minor version.
type Run struct {
	// Name distinguishes it from the others, such as 1.36-zones.
	Name   string             `yaml:"name"`
	Report *ConformanceReport `yaml:"report"`
	// Calls are the lines of calls.jsonl that the report's cases refer to, where line 1 is the first; empty without
	// that file.
	Calls []json.RawMessage `yaml:"-"`
}

// DriversOf returns the names of the runs' drivers, each once.
func DriversOf(runs []Run) []string {
	var names []string
	for _, run := range runs {
		if name := run.Report.Driver.Name; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// NameDrivers returns the runs with the driver added to the name of each, if there are several drivers.
func NameDrivers(runs []Run) []Run {
	if len(DriversOf(runs)) < 2 {
		return runs
	}
	named := slices.Clone(runs)
	for i, run := range runs {
		named[i].Name = strings.TrimSpace(run.Name + " of " + cmp.Or(run.Report.Driver.Name, "a driver without a name"))
	}
	return named
}

// ListKind is the kind of a file with several reports.
const ListKind = "ConformanceReportList"

// list is a report.yaml of several runs.
type list struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Runs       []Run  `yaml:"runs"`
}

// ReadRuns reads a report.yaml of one run or of several, with the calls.jsonl next to it. A run without a name gets the
// name of its directory. path may be the directory.
func ReadRuns(path string) ([]Run, error) {
	path = fileOf(path)
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	calls, err := ReadCalls(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var several list
	if err := yaml.Unmarshal(content, &several); err != nil {
		return nil, fmt.Errorf("reading the report %s: %w", path, err)
	}
	if several.APIVersion == APIVersion && several.Kind == ListKind {
		return apart(several.Runs, calls), nil
	}
	one, err := parse(content, path)
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("finding the directory of %s: %w", path, err)
	}
	return []Run{{Name: filepath.Base(filepath.Dir(absolute)), Report: one, Calls: calls}}, nil
}

// ReadCalls returns the lines of the calls.jsonl in a report directory; none if there is no such file.
func ReadCalls(dir string) ([]json.RawMessage, error) {
	path := filepath.Join(dir, callsFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the calls of a report: %w", err)
	}
	var calls []json.RawMessage
	for line := range bytes.Lines(content) {
		line = bytes.TrimSpace(line)
		if !json.Valid(line) {
			return nil, fmt.Errorf("reading %s: line %d is not JSON: want a file that csi-topo wrote", path, len(calls)+1)
		}
		calls = append(calls, line)
	}
	return calls, nil
}

// apart splits the calls of all runs into the calls of each.
func apart(runs []Run, calls []json.RawMessage) []Run {
	for i, run := range runs {
		first, last := linesOf(run.Report)
		if first == 0 || last > len(calls) {
			continue
		}
		runs[i].Report = shifted(run.Report, 1-first)
		runs[i].Calls = calls[first-1 : last]
	}
	return runs
}

// linesOf returns the first and the last line that the report's cases refer to; 0 if they refer to none.
func linesOf(r *ConformanceReport) (first, last int) {
	for _, c := range r.Cases {
		if c.Calls != nil {
			first, last = min(cmp.Or(first, c.Calls.First), c.Calls.First), max(last, c.Calls.Last)
		}
	}
	return first, last
}

// shifted returns the report with its cases' calls moved down by the given number of lines.
func shifted(r *ConformanceReport, by int) *ConformanceReport {
	moved := *r
	moved.Cases = slices.Clone(r.Cases)
	for i, c := range moved.Cases {
		if c.Calls != nil {
			moved.Cases[i].Calls = &Lines{First: c.Calls.First + by, Last: c.Calls.Last + by}
		}
	}
	return &moved
}
