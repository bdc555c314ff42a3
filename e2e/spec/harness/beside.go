// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// doubt tracks cases that ran beside others and ended with the same answer. If there are many of them, the driver may
// not support concurrent calls.
type doubt struct {
	answer string
	ids    []string
	found  string
}

// many is the number of cases that must end with one answer before one of them is run again.
const many = 5

// Doubted returns the first of the cases that ended with the answer of most of them.
func (d *doubt) Doubted(beside []suite.Result) string {
	ids := map[string][]string{}
	for _, r := range beside {
		answer := suite.Answer(r.Message)
		if answer == "" || r.Verdict != suite.Failed && r.Verdict != suite.Errored {
			continue
		}
		code, _, _ := strings.Cut(answer, ":") // the remaining text contains names
		if ids[code] = append(ids[code], r.ID); len(ids[code]) > len(d.ids) {
			d.answer, d.ids = answer, ids[code]
		}
	}
	if len(d.ids) < many {
		return ""
	}
	return d.ids[0]
}

// Alone records what to report if the case does not end with that answer when nothing runs beside it.
func (d *doubt) Alone(again suite.Result) {
	if again.Verdict != suite.Passed && again.Verdict != suite.Warned {
		return
	}
	const shown = 20
	ids := d.ids
	if len(ids) > shown {
		ids = append(ids[:shown:shown], fmt.Sprintf("and %d more", len(ids)-shown))
	}
	d.found = fmt.Sprintf("%d cases that ran alongside others ended with an answer such as %s\nOne of them, %s, was run again alone, and passes: the driver does not support concurrent calls, though each is for a volume of its own. "+
		"What these cases report about other clauses may follow from that. Run them again with --parallel 1 to see how the driver answers one call after another.\nThe cases: %s",
		len(d.ids), d.answer, d.ids[0], strings.Join(ids, ", "))
}

// BesideOthers reports that many cases ended with an answer that one of them does not get when it runs alone. It is
// empty if there is nothing to report.
func BesideOthers(d *Driver) string { return *d.beside }
