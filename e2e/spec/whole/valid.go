// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// answersValidly fails a driver if any answer of the run breaks a rule that holds for every request. Cases check only the
// answers that they are about.
func answersValidly() harness.Case {
	return harness.Case{
		ID:   "run_answers_valid",
		Text: "answers each call of the run with valid fields, with all that are REQUIRED, with what was requested, and consistently with its earlier answers",
		Requirements: []string{
			"GEN-04", "GEN-05", "GI-01", "GI-02", "PC-01", "VOL-02", "VOL-03", "VOL-04", "VOL-12", "TR-04", "CR-03", "CR-05", "CE-13", "LV-01", "LV-03", "LV-08", "LV-15", "LV-19", "VV-02",
			"SN-01", "SN-02", "SN-03", "SN-04", "SN-06", "SN-09", "CS-03", "GS-01", "LS-01", "LS-02", "VGS-02", "VGS-03", "VGS-10", "VGS-15", "VGS-16", "VGS-33", "CAP-13", "CAP-17", "CAP-23", "NI-06", "NI-09", "NI-12", "NV-03", "NV-07",
			"CREATE-02", "CS-18", "CP-33", "NS-05", "NS-25", "VGS-18", "VH-05", "VH-07", "VH-08", "VH-09", "VH-14", "SMD-02", "SMD-04", "SMD-05", "SMD-10", "TO-02", "TO-03", "TO-04", "TO-06", "TO-08", "TO-09", "TO-10",
		},
		Closing: true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			askAll(ctx, driver)
			var clauses, lines []string
			for _, found := range harness.HealthOf(driver).Flawed() {
				if found.Regretted {
					suite.Warn(ctx, found.Clause, "%s", found)
					continue
				}
				if !slices.Contains(clauses, found.Clause) {
					clauses = append(clauses, found.Clause)
				}
				lines = append(lines, found.String())
			}
			if len(lines) > 0 {
				suite.FailAbout(clauses, "an answer breaks a rule that holds for every request. Of each RPC, field and clause, the first:\n%s", strings.Join(lines, "\n"))
			}
		},
	}
}
