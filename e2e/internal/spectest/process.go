// SPDX-License-Identifier: Apache-2.0

package spectest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/runner"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

const (
	driverVariable = "CSI_TOPO_TEST_DRIVER"
	reportVariable = "CSI_TOPO_TEST_REPORT"
	seedVariable   = "CSI_TOPO_TEST_SEED"
	// Reference is the name of the driver that is right.
	Reference = "the reference driver"
	// MaxVolumesPerNode is the limit of the drivers' nodes.
	MaxVolumesPerNode = 8
	// SmallestVolume is the smallest size in bytes of the drivers' volumes.
	SmallestVolume = 1 << 20
	// LargestVolume is the largest size in bytes of the drivers' volumes; a segment has room for more than one of them.
	LargestVolume = 512 << 20
)

// Driver is a variant of the reference driver, or of its environment.
type Driver struct {
	// Options changes how the driver is started, and Target what the cases know of it; either may be nil.
	Options func(*embedded.Options)
	Target  func(*harness.Target)
	// Profile is what its vendor says of it, as YAML; that of the reference driver when empty.
	Profile string
	// Fault is how the driver is wrong.
	Fault Fault
	// Running has the running driver as well; it may be nil.
	Running func(*embedded.Driver, *harness.Target)
	// Focus is a regular expression over the ids and areas of the cases that are run; empty runs all.
	Focus string

	// only are the cases that are run against it, all of them when nil.
	only []string
}

// Main runs the tests, and returns their exit status. In a process that Run began it runs the cases of the areas instead.
func Main(m *testing.M, areas func() []harness.Area, drivers map[string]Driver) int {
	return MainOf(m, func(s *harness.Suite) { s.Declare(areas()) }, drivers)
}

// MainOf is Main for cases that are declared in another way.
func MainOf(m *testing.M, declare func(*harness.Suite), drivers map[string]Driver) int {
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
	if err := run(driver, declare, seed, os.Getenv(reportVariable)); err != nil {
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

// run starts the driver, runs the cases and writes their report into the directory.
func run(variant Driver, declare func(*harness.Suite), seed int64, reportDir string) (err error) {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "spec") // a short path: it is that of sockets
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	options := embedded.Options{
		Dir:               dir,
		Sizes:             service.Sizes{MinimumBytes: SmallestVolume, MaximumBytes: LargestVolume},
		MaxVolumesPerNode: MaxVolumesPerNode,
	}
	if variant.Options != nil {
		variant.Options(&options)
	}
	driver, err := embedded.Start(ctx, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, driver.Stop()) }()
	target, err := targetOf(driver, variant)
	if err != nil {
		return err
	}
	target.Seed = seed
	target.Paths = harness.LocalPaths(filepath.Join(dir, "node"))
	if variant.Target != nil {
		variant.Target(target)
	}
	if variant.Running != nil {
		variant.Running(driver, target)
	}
	o := runner.Options{Tier: "spec", ReportDir: reportDir, Cases: variant.only, Seed: seed, Shuffle: true, Out: io.Discard}
	if variant.Focus != "" {
		o.Focus = []string{variant.Focus}
	}
	suite := harness.New(target)
	o.Chosen = suite.Choose
	_, err = runner.Run(ctx, o, func() { declare(suite) })
	return err
}

func targetOf(driver *embedded.Driver, variant Driver) (*harness.Target, error) {
	described, err := profile.Known(profile.Reference)
	if variant.Profile != "" {
		described, err = profile.Parse("profile.yaml", []byte(variant.Profile))
	}
	if err != nil {
		return nil, err
	}
	controller, err := harness.Dial(driver.Controller)
	if err != nil {
		return nil, err
	}
	target := &harness.Target{
		Controller: faulty{controller, variant.Fault},
		Profile:    described,
		Run:        "test",
		Steps:      100,
		Timeouts:   timeouts(),
	}
	for _, node := range driver.Nodes {
		conn, err := harness.Dial(node.Endpoint)
		if err != nil {
			return nil, err
		}
		target.Nodes = append(target.Nodes, faulty{conn, variant.Fault})
		if variant.Profile == "" {
			target.Profile.Segments = append(target.Profile.Segments, node.Segment)
		}
	}
	return target, nil
}

// timeouts are enough for a driver in the same process, and short for one that never does what it is asked.
func timeouts() profile.Timeouts {
	const calls, settle, restart = 5 * time.Second, 50 * time.Millisecond, time.Second
	const generated = time.Minute
	return profile.Timeouts{Provision: calls, Query: calls, SnapshotReady: calls, Settle: settle, Cleanup: calls, Restart: restart, Generated: generated}
}
