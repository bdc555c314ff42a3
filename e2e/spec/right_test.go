// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/right"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// rightDrivers returns all right drivers, with each of the sets of endpoints that the suite may be given.
func rightDrivers() map[string]mutation.Driver {
	drivers := map[string]mutation.Driver{}
	for _, driver := range right.Drivers() {
		for _, given := range driver.Sets() {
			drivers[rightDriver(driver, given)] = driver.With(given)
		}
	}
	return drivers
}

func rightDriver(driver right.Driver, given right.Endpoints) string {
	return fmt.Sprintf("%s/%s", driver.Name, given)
}

// TestRightDrivers checks that no case fails a driver, or cannot tell, unless the driver contradicts the specification. With
// -short it leaves out the drivers that make mutation runs as well, and runs one of the cases combinations_* on the others.
func TestRightDrivers(t *testing.T) {
	t.Parallel()
	drivers := rightDrivers()
	full := sync.OnceValue(func() *report.ConformanceReport { return spectest.Run(t, spec.Areas(), drivers["zonal/all"]) })
	for _, driver := range right.Drivers() {
		t.Run(driver.Name, func(t *testing.T) {
			t.Parallel()
			for i, given := range driver.Sets() {
				t.Run(string(given), func(t *testing.T) {
					t.Parallel()
					name := rightDriver(driver, given)
					if _, found := less[name]; i == 0 && !found && testing.Short() {
						t.Skip("make mutation runs it")
					}
					want, isLess := less[name]
					if !isLess {
						wantClean(t, spectest.Run(t, areasFor(name), drivers[name]))
						return
					}
					result := spectest.Run(t, spec.Areas(), drivers[name])
					wantClean(t, result)
					want.judge(t, result, full())
				})
			}
		})
	}
}

// areasFor returns the areas that a right driver is judged by: with -short, one of the cases combinations_*.
func areasFor(driver string) []harness.Area {
	if testing.Short() {
		return mutation.Sample(spec.Areas(), driver)
	}
	return spec.Areas()
}

// less lists the right drivers that show what each need is for: they have less than the driver zonal.
var less = map[string]lacking{
	"zonal/one-node":        oneSegment,
	"one-segment/all":       oneSegment,
	"zonal/controller-only": {needs: map[suite.DecidedBy]string{suite.ByEnvironment: "node-endpoints=1 node-endpoints=2"}},
	"no-topology/all": {
		needs: map[suite.DecidedBy]string{suite.ByCapability: "VOLUME_ACCESSIBILITY_CONSTRAINTS SNAPSHOT_ACCESSIBILITY_CONSTRAINTS"},
		skips: map[suite.DecidedBy]string{suite.ByProfile: "name_taken_parameters"},
	},
	"no-capacity/all":       {needs: map[suite.DecidedBy]string{suite.ByCapability: "GET_CAPACITY exhaustion"}},
	"fewer-volume-keys/all": {},
	"many-nodes-only/all": {
		needs: map[suite.DecidedBy]string{suite.ByCapability: "SINGLE_NODE_MULTI_WRITER"},
		skips: map[suite.DecidedBy]string{suite.ByCapability: "attach_again_other_mode attach_second_node attach_second_reader attach_multi_reader attach_single_writer " +
			"publish_second_target publish_other_capability publish_staged_for_reading publish_after_refused_staging",
			suite.ByProfile: "history_of_publication"},
	},
	"names-are-labels/all": {warns: "name_in_any_script name_longest"},
}

// oneSegment reports that the suite knows one segment, and one node.
var oneSegment = lacking{
	needs: map[suite.DecidedBy]string{suite.ByEnvironment: "segments=2 segments=3 segments=4 node-endpoints=2"},
	skips: map[suite.DecidedBy]string{suite.ByProfile: "name_taken_parameters"},
}

// wantClean checks that there is no failure and no error, and that each warning and skip has a reason.
func wantClean(t *testing.T, result *report.ConformanceReport) {
	t.Helper()
	sum := result.Summary
	t.Logf("%d fail, %d error, %d warn, %d skip, %d pass, in %.1f s", sum.Fail, sum.Error, sum.Warn, sum.Skip, sum.Pass, sum.Seconds)
	found := map[string][]report.Case{} // the faults, by their cause
	for _, c := range result.Cases {
		switch {
		case c.Verdict == suite.Failed, c.Verdict == suite.Errored:
			found[cause(c)] = append(found[cause(c)], c)
		case (c.Verdict == suite.Warned || c.Verdict == suite.Skipped) && strings.TrimSpace(c.Message+c.Reason) == "":
			t.Errorf("case %s: %s without a reason", c.ID, c.Verdict)
		}
	}
	if len(result.Cases) == 0 {
		t.Error("no case was run")
	}
	for _, cause := range slices.Sorted(maps.Keys(found)) {
		var ids []string
		for _, c := range found[cause] {
			ids = append(ids, c.ID)
		}
		t.Errorf("%d cases: %s\n%s: %s", len(ids), strings.Join(ids, " "), found[cause][0].Verdict, found[cause][0].Message)
	}
}

// varying matches the parts of a message that differ from case to case.
var varying = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|csi-topo-[-a-zA-Z0-9]+|/[^ ]*/spec[^ ]*|[0-9]+`)

// cause returns the beginning of a case's message, without the parts that differ from case to case.
func cause(c report.Case) string {
	const most = 100
	line, _, _ := strings.Cut(varying.ReplaceAllString(c.Message, "#"), "\n")
	return fmt.Sprintf("%s: %s", c.Verdict, line[:min(len(line), most)])
}
