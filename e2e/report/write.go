package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/onsi/ginkgo/v2/reporters"
	"github.com/onsi/ginkgo/v2/types"
	"go.yaml.in/yaml/v3"
)

const (
	yamlFile  = "report.yaml"
	junitFile = "junit.xml"
)

// WriteDir writes report.yaml and junit.xml into a directory, which it makes if need be. Each file appears whole or not
// at all, in the place of an earlier run's.
func WriteDir(dir string, r *ConformanceReport, run types.Report) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the report directory: %w", err)
	}
	err := replace(dir, yamlFile, func(path string) error { return writeYAML(path, r) })
	if err != nil {
		return err
	}
	return replace(dir, junitFile, func(path string) error {
		return reporters.GenerateJUnitReportWithConfig(forJUnit(run), path, reporters.JunitReportConfig{OmitLeafNodeType: true})
	})
}

// replace has a file written under a passing name and then gives it its own.
func replace(dir, name string, write func(path string) error) error {
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

func writeYAML(path string, r *ConformanceReport) error {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(r); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}
