// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"errors"
	"io"

	"github.com/onsi/ginkgo/v2"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/runner"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// RunSpec starts the driver, runs the cases that are declared against it, and returns their report, which it has also
// written into the directory, unless that is empty. The order of the cases and the generated ones follow from the seed. It
// can be called once in a process, as Ginkgo runs one suite in each.
func (d Driver) RunSpec(ctx context.Context, declare func(*harness.Suite), seed int64, reportDir string) (result *report.ConformanceReport, err error) {
	started, err := d.start(ctx, seed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, started.stop()) }()
	o := runner.Options{Tier: "spec", ReportDir: reportDir, Cases: d.Only, Seed: seed, Shuffle: true, Out: io.Discard}
	if d.Focus != "" {
		o.Focus = []string{d.Focus}
	}
	suite := harness.New(started.target)
	o.Chosen = suite.Choose
	if d.Heard != nil {
		// Before the cases have been listed, Ginkgo would forget it.
		o.Prepare = func(context.Context) error { ginkgo.ReportAfterEach(d.Heard); return nil }
	}
	return runner.Run(ctx, o, func() { declare(suite) })
}
