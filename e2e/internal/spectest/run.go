// SPDX-License-Identifier: Apache-2.0

package spectest

import (
	"context"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Run runs the cases of the areas against the driver; the zero Driver is the reference driver, which is correct.
func Run(t *testing.T, areas []harness.Area, driver mutation.Driver) *report.ConformanceReport {
	t.Helper()
	return RunCases(t, mutation.Cases{Areas: areas}, driver)
}

// RunCases runs cases, and a guest suite if there is one, against the driver.
func RunCases(t *testing.T, cases mutation.Cases, driver mutation.Driver) *report.ConformanceReport {
	t.Helper()
	const patience = 5 * time.Minute
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	result, err := driver.RunSpec(ctx, cases, 1)
	if err != nil {
		t.Fatalf("running the cases: %v", err)
	}
	return result
}
