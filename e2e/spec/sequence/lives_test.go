// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"slices"
	"testing"
)

func TestLivesHaveEachPair(t *testing.T) {
	shape := fourZones
	shape.Restart, shape.Stats, shape.Pods = true, true, true
	rows, left := lives(shape)
	t.Logf("%d lives", len(rows))
	if len(left) != 1 { // volumes of three segments
		t.Errorf("left out: %q", left)
	}
	all := dimensions()
	for i := range all {
		for j := range i {
			for _, a := range all[i].values {
				for _, b := range all[j].values {
					l := make(life, len(all))
					l[i], l[j] = a.name, b.name
					if l.isNone() || a.had != nil && !a.had(shape) || b.had != nil && !b.had(shape) {
						continue
					}
					if !slices.ContainsFunc(rows, func(row life) bool { return row[i] == a.name && row[j] == b.name }) {
						t.Errorf("no life is %q and %q", a.name, b.name)
					}
				}
			}
		}
	}
}
