// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// answersReadably fails a driver whose answers are not valid gRPC, or not of the specification: the finding of a case about
// a single such answer hides that.
func answersReadably() harness.Case {
	return harness.Case{
		ID:           "run_answers_readable",
		Text:         "answers each call of the run with a message of the specification and a canonical code",
		Requirements: []string{"GEN-08", "GEN-09"},
		Closing:      true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			askAll(ctx, driver)
			var clauses, lines []string
			for _, found := range harness.HealthOf(driver).Improper() {
				if !slices.Contains(clauses, found.Clause) {
					clauses = append(clauses, found.Clause)
				}
				lines = append(lines, fmt.Sprintf("%s at %s: %s", found.RPC, found.Endpoint, found.Problem))
			}
			if len(lines) > 0 {
				suite.FailAbout(clauses, "an answer has a status with one of the codes 0 to 16, and a message that can be read. Of each kind that has not, the first:\n%s", strings.Join(lines, "\n"))
			}
		},
	}
}
