// SPDX-License-Identifier: Apache-2.0

package spectest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

const (
	driverVariable = "CSI_TOPO_TEST_DRIVER"
	reportVariable = "CSI_TOPO_TEST_REPORT"
	seedVariable   = "CSI_TOPO_TEST_SEED"
	// Reference is the name of the driver that is right.
	Reference = "the reference driver"
)

// Main runs the tests, and returns their exit status. In a process that Run began it runs the cases of the areas instead.
func Main(m *testing.M, areas func() []harness.Area, drivers map[string]mutation.Driver) int {
	return MainOf(m, func(s *harness.Suite) { s.Declare(areas()) }, drivers)
}

// MainOf is Main for cases that are declared in another way.
func MainOf(m *testing.M, declare func(*harness.Suite), drivers map[string]mutation.Driver) int {
	name := os.Getenv(driverVariable)
	if name == "" {
		return m.Run()
	}
	driver, found := drivers[name]
	if !found && name != Reference {
		fmt.Fprintf(os.Stderr, "there is no driver %q\n", name)
		return 1
	}
	seed, err := strconv.ParseInt(os.Getenv(seedVariable), 10, 64)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if _, err := driver.RunSpec(context.Background(), declare, seed, os.Getenv(reportVariable)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// Run runs the cases of Main in a process of their own, against the driver of that name.
func Run(t *testing.T, name string) *report.ConformanceReport {
	t.Helper()
	return RunSeeded(t, name, 1)
}

// RunSeeded is Run with a seed, from which the order of the cases and the generated ones follow.
func RunSeeded(t *testing.T, name string, seed int64) *report.ConformanceReport {
	t.Helper()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	process := exec.CommandContext(ctx, os.Args[0])
	process.Env = append(os.Environ(), driverVariable+"="+name, reportVariable+"="+dir, seedVariable+"="+strconv.FormatInt(seed, 10))
	if output, err := process.CombinedOutput(); err != nil {
		t.Fatalf("running the cases against the driver %q: %v\n%s", name, err, output)
	}
	data, err := os.ReadFile(filepath.Join(dir, "report.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	result := &report.ConformanceReport{}
	if err := yaml.Unmarshal(data, result); err != nil {
		t.Fatal(err)
	}
	return result
}
