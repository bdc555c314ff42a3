// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"hash/fnv"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Sample returns the areas with only one of the cases combinations_*, which together take nearly half of the time of a right
// driver. The driver's name decides which, so that it stays the same when other drivers are added.
func Sample(areas []harness.Area, driver string) []harness.Area {
	all := CombinationsIn(areas)
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(driver))
	kept := all[int(hash.Sum32())%len(all)]
	for i := range areas {
		areas[i].Cases = slices.DeleteFunc(areas[i].Cases, func(c harness.Case) bool { return c.ID != kept && slices.Contains(all, c.ID) })
	}
	return areas
}

// CombinationsIn returns the ids of the cases combinations_* in the areas.
func CombinationsIn(areas []harness.Area) []string {
	var ids []string
	for _, area := range areas {
		for _, c := range area.Cases {
			if strings.HasPrefix(c.ID, "combinations_") {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids
}
