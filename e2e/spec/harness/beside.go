// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// doubt doubts the cases that ran beside others if many of them ended with one answer: it may be one of a driver that does
// not bear calls side by side.
type doubt struct {
	answer string
	ids    []string
	found  string
}

// many is how many cases end with one answer before one of them is run again.
const many = 5

// Doubted returns the first of the cases that ended with the answer of most of them.
func (d *doubt) Doubted(beside []suite.Result) string {
	ids := map[string][]string{}
	for _, r := range beside {
		answer := suite.Answer(r.Message)
		if answer == "" || r.Verdict != suite.Failed && r.Verdict != suite.Errored {
			continue
		}
		code, _, _ := strings.Cut(answer, ":") // what is said besides has names in it
		if ids[code] = append(ids[code], r.ID); len(ids[code]) > len(d.ids) {
			d.answer, d.ids = answer, ids[code]
		}
	}
	if len(d.ids) < many {
		return ""
	}
	return d.ids[0]
}

// Alone keeps what to say if the case does not end with that answer when nothing runs beside it.
func (d *doubt) Alone(again suite.Result) {
	if again.Verdict != suite.Passed && again.Verdict != suite.Warned {
		return
	}
	const shown = 20
	ids := d.ids
	if len(ids) > shown {
		ids = append(ids[:shown:shown], fmt.Sprintf("and %d more", len(ids)-shown))
	}
	d.found = fmt.Sprintf("%d cases that ran beside others ended with an answer such as %s\nOne of them, %s, was run again alone, and passes: the driver does not bear calls that are made side by side, of which each is for a volume of its own. "+
		"What these cases say of other clauses may follow from that. Run them again with --parallel 1 to see how the driver answers one call after another.\nThe cases: %s",
		len(d.ids), d.answer, d.ids[0], strings.Join(ids, ", "))
}

// BesideOthers says that many cases ended with an answer of which one case knows nothing when it runs alone; "" where it is
// not so.
func BesideOthers(d *Driver) string { return *d.beside }
