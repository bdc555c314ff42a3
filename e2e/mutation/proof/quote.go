// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Quote returns the messages of the cases that judged the driver wrongly: the false alarms about a correct driver, and all
// cases that ran against a faulty one and did not catch it.
func (d Driver) Quote(cases []report.Case) string {
	if d.Right != d.Caught {
		return ""
	}
	var text strings.Builder
	for _, c := range cases {
		if c.DecidedBy == suite.ByFilter || d.Right && !slices.Contains(d.By, c.ID) {
			continue
		}
		fmt.Fprintf(&text, "\n  %s: %s", c.ID, c.Verdict)
		if len(c.Blamed) > 0 {
			fmt.Fprintf(&text, " by %s", strings.Join(c.Blamed, " "))
		}
		if c.Message != "" {
			fmt.Fprintf(&text, ": %s", strings.ReplaceAll(c.Message, "\n", "\n    "))
		}
	}
	return text.String()
}
