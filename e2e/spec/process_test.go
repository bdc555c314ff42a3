package spec_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/runner"
	"github.com/csi-topo/csi-topo/e2e/spec"
)

const (
	variantVariable = "CSI_TOPO_TEST_VARIANT"
	reportVariable  = "CSI_TOPO_TEST_REPORT"
	reference       = "the reference driver"
)

// TestMain is the suite itself in a process that runSuite began, because Ginkgo runs one suite in each process.
func TestMain(m *testing.M) {
	variant := os.Getenv(variantVariable)
	if variant == "" {
		os.Exit(m.Run())
	}
	if err := suiteProcess(variant, os.Getenv(reportVariable)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runSuite runs the whole suite in a process of its own, against a variant of the reference driver.
func runSuite(t *testing.T, variant string) *report.ConformanceReport {
	t.Helper()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	process := exec.CommandContext(ctx, os.Args[0])
	process.Env = append(os.Environ(), variantVariable+"="+variant, reportVariable+"="+dir)
	if output, err := process.CombinedOutput(); err != nil {
		t.Fatalf("running the suite against the variant %q: %v\n%s", variant, err, output)
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

// suiteProcess starts the driver, runs the suite and writes its report into the directory.
func suiteProcess(variant, reportDir string) (err error) {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "spec") // a short path: it is that of sockets
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	driver, err := embedded.Start(ctx, embedded.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, driver.Stop()) }()
	target, err := targetOf(driver)
	if err != nil {
		return err
	}
	if err := change(target, variant); err != nil {
		return err
	}
	options := runner.Options{Tier: "spec", ReportDir: reportDir, Seed: 1, Out: io.Discard}
	_, err = runner.Run(ctx, options, func() { spec.Register(target) })
	return err
}

// change makes the target a variant of the reference driver.
func change(target *spec.Target, variant string) error {
	if variant == reference {
		return nil
	}
	if fault, found := faults[variant]; found {
		target.Controller = misbehaving{ClientConnInterface: target.Controller, as: fault}
		return nil
	}
	if lack, found := lacks[variant]; found {
		lack(target)
		return nil
	}
	return fmt.Errorf("there is no variant %q", variant)
}

func targetOf(driver *embedded.Driver) (*spec.Target, error) {
	described, err := profile.HostpathTopo()
	if err != nil {
		return nil, err
	}
	controller, err := spec.Dial(driver.Controller)
	if err != nil {
		return nil, err
	}
	target := &spec.Target{
		Controller: controller,
		Profile:    described,
		Timeouts:   spec.Timeouts{Provision: 5 * time.Second, Query: 5 * time.Second, Settle: 50 * time.Millisecond},
	}
	for _, node := range driver.Nodes {
		conn, err := spec.Dial(node.Endpoint)
		if err != nil {
			return nil, err
		}
		target.Nodes = append(target.Nodes, conn)
	}
	return target, nil
}
