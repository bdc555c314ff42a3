// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// everyCallWorks fails a driver that never performs a call that it claims: a call that is always put off is not implemented.
func everyCallWorks() harness.Case {
	return harness.Case{
		ID:           "run_calls_work",
		Text:         "answers each RPC that it claims with something other than ABORTED, DEADLINE_EXCEEDED or UNAVAILABLE at least once in the run",
		Requirements: []string{"GEN-08"},
		Closing:      true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			askAll(ctx, driver)
			var clauses, lines []string
			for _, v := range harness.HealthOf(driver).NeverWorked() {
				if clause := implemented(v); !slices.Contains(clauses, clause) {
					clauses = append(clauses, clause)
				}
				lines = append(lines, fmt.Sprintf("%s\nand nothing else in the whole run: %d calls ended so, of which the first was repeated for %s", v, v.Times, v.For.Round(time.Second/10)))
			}
			if len(lines) > 0 {
				suite.FailAbout(clauses, "an RPC that is claimed is implemented, and a call that is repeated continues where it left off\n%s\nIf the driver needs more time, raise provision or query in the profile's timeouts; if its back end was out of reach, run again once it is reachable",
					strings.Join(lines, "\n"))
			}
		},
	}
}

// implemented returns the requirement that the RPC must be implemented.
func implemented(v health.Vain) string {
	return cmp.Or(map[string]string{
		"GetPluginInfo":              "GI-03",
		"GetPluginCapabilities":      "GI-03",
		"Probe":                      "PR-01",
		"CreateVolume":               "CV-01",
		"DeleteVolume":               "SV-02",
		"ControllerPublishVolume":    "CP-01",
		"ControllerUnpublishVolume":  "CU-01",
		"ValidateVolumeCapabilities": "VV-04",
		"ListVolumes":                "LV-20",
		"ControllerGetVolume":        "LV-11",
		"GetCapacity":                "CAP-01",
		"ControllerExpandVolume":     "CE-01",
		"ControllerModifyVolume":     "MV-01",
		"CreateSnapshot":             "CS-22",
		"DeleteSnapshot":             "SV-03",
		"ListSnapshots":              "SV-04",
		"GetSnapshot":                "GS-01",
		"CreateVolumeGroupSnapshot":  "SV-09",
		"DeleteVolumeGroupSnapshot":  "SV-09",
		"GetVolumeGroupSnapshot":     "SV-09",
		"GetMetadataAllocated":       "SV-10",
		"GetMetadataDelta":           "SV-10",
		"ControllerListVolumeHealth": "VH-01",
		"ControllerGetVolumeHealth":  "VH-12",
		"NodeGetInfo":                "NI-01",
		"NodeStageVolume":            "SV-05",
		"NodeUnstageVolume":          "SV-06",
		"NodePublishVolume":          "SV-01",
		"NodeUnpublishVolume":        "NS-16",
		"NodeGetVolumeStats":         "NV-01",
		"NodeGetVolumeHealth":        "NV-05",
		"NodeGetStorageHealth":       "SV-07",
		"NodeExpandVolume":           "NE-01",
	}[path.Base(v.Method)], "GEN-08")
}
