// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"
	"maps"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// bearsSurveys fails a driver that does not answer the calls by which the suite surveys it before and after each case. No
// other case fails for that reason: the suite goes on without a list that does not work.
func bearsSurveys() harness.Case {
	return harness.Case{
		ID:           "run_surveys_work",
		Text:         "lists volumes and snapshots, and reports capacity, whenever the suite checks what it holds",
		Requirements: []string{"GEN-08", "LV-01", "LV-04", "LV-20", "LS-01", "LS-03", "SV-04"},
		Closing:      true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			askAll(ctx, driver)
			silent := harness.HealthOf(driver).SilentSurveys()
			var clauses, lines []string
			fail := func(clause, line string) {
				if !slices.Contains(clauses, clause) {
					clauses = append(clauses, clause)
				}
				lines = append(lines, line)
			}
			for _, rpc := range slices.Sorted(maps.Keys(silent)) {
				fail("GEN-08", silent[rpc])
			}
			for _, list := range driver.Pages.AllUnusable() {
				switch of := clausesOf(list); {
				case list.Silent: // reported above
				case list.Endless:
					fail(of.pages, list.Error())
				case status.Code(list.Refused) == codes.Unimplemented:
					fail(of.claimed, "it is claimed, and "+list.Error())
				case list.Refused != nil:
					suite.Warn(ctx, of.all, "%s\n%s", list, without)
				default:
					suite.Warn(ctx, of.pages, "%s\n%s", list, without)
				}
			}
			if len(lines) > 0 {
				suite.FailAbout(clauses, "%s\n%s", strings.Join(lines, "\n"), without)
			}
		},
	}
}

// without describes the consequences of a list that does not work.
const without = "Cases about something else ran without such a list, as if the driver did not claim it, and did not see what they left behind. Correct it, and run all cases again"

// clauses names the requirements that a list has all entries, that its pages end, and that it is implemented if it is
// claimed.
type clauses struct{ all, pages, claimed string }

func clausesOf(list *pages.Unusable) clauses {
	if strings.HasPrefix(list.List, "ListVolumes") {
		return clauses{"LV-01", "LV-04", "LV-20"}
	}
	return clauses{"LS-01", "LS-03", "SV-04"}
}
