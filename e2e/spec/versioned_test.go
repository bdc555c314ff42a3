// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"context"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/right"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// by15 returns the driver, to be judged by CSI 1.5.
func by15(driver mutation.Driver) mutation.Driver {
	driver.Target = func(t *harness.Target) { t.CSI = "1.5" }
	return driver
}

// TestDriverOfItsTime checks that a right driver of CSI 1.5 has no failures by CSI 1.5, and that no newer case runs.
// TestRightDrivers judges it by the newest specification.
func TestDriverOfItsTime(t *testing.T) {
	t.Parallel()
	result := spectest.Run(t, spec.Areas(), by15(rightDrivers()["csi-1.5/"+string(right.All)]))
	wantClean(t, result)
	asked := 0
	for _, c := range result.Cases {
		newest, newer := requirement.AllNewer(c.Requirements, "1.5")
		switch {
		case newer && (c.Verdict != suite.Skipped || c.DecidedBy != suite.ByFilter):
			t.Errorf("%s, which is on %s of CSI %s: want it skipped by the version, got %s", c.ID, newest.ID, newest.Since, c.Verdict)
		case !newer && c.DecidedBy == suite.ByFilter:
			t.Errorf("%s: want it asked, got %s", c.ID, c.Reason)
		case !newer:
			asked++
		}
	}
	t.Logf("%d of %d cases are on what CSI 1.5 has", asked, len(result.Cases))
}

// TestDriverThatIsWrongByANewerSpecification checks that drivers that violate only newer requirements fail by the newest
// specification, and not by CSI 1.5.
func TestDriverThatIsWrongByANewerSpecification(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]mutation.Driver{
		"a case on newer requirements": {
			Only: []string{"snapshot_get_unknown"},
			Fault: mutation.On(func(context.Context, mutation.Right, *csi.GetSnapshotRequest) (*csi.GetSnapshotResponse, error) {
				return nil, status.Error(codes.Internal, "the disk array is shy")
			}),
		},
		"a case on older ones too": {
			Only:  []string{"snapshot_volume"},
			Fault: mutation.Unclaimed(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if sum := spectest.Run(t, spec.Areas(), wrong).Summary; sum.Fail != 1 {
				t.Errorf("by the newest specification: want a failure, got %s", sum)
			}
			result := spectest.Run(t, spec.Areas(), by15(wrong))
			for _, c := range result.Cases {
				if c.ID == wrong.Only[0] && (c.Verdict != suite.Skipped || c.DecidedBy != suite.ByFilter || c.Reason == "") {
					t.Errorf("by CSI 1.5: want %s skipped by the version, with the reason, got %s by %q: %s", c.ID, c.Verdict, c.DecidedBy, c.Reason)
				}
			}
			if len(result.Waivers) > 0 {
				t.Errorf("want no waivers of the vendor, got %+v", result.Waivers)
			}
			for _, r := range result.Requirements {
				if r.ID == "GS-02" && r.Verdict != report.NotExercised || r.ID == "CS-12" && r.Verdict != suite.Skipped && r.Verdict != report.NotExercised {
					t.Errorf("by CSI 1.5: %s is judged: %s", r.ID, r.Verdict)
				}
			}
		})
	}
}
