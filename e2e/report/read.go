// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// ReadFile reads a report.yaml of one run. path may be its directory.
func ReadFile(path string) (*ConformanceReport, error) {
	path = fileOf(path)
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	return parse(content, path)
}

// fileOf returns the report.yaml in the directory, or the path itself if it is not a
// directory.
func fileOf(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, yamlFile)
	}
	return path
}

// parse reads the content of a report.yaml of one run.
func parse(content []byte, path string) (*ConformanceReport, error) {
	var r ConformanceReport
	if err := yaml.Unmarshal(content, &r); err != nil {
		return nil, fmt.Errorf("reading the report %s: %w", path, err)
	}
	if r.Kind != Kind || r.APIVersion != APIVersion {
		return nil, fmt.Errorf("%s is of kind %q and apiVersion %q: want a report.yaml of csi-topo, of kind %q and apiVersion %q", path, r.Kind, r.APIVersion, Kind, APIVersion)
	}
	return &r, nil
}
