// SPDX-License-Identifier: Apache-2.0

package main

import (
	"hash/fnv"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// sample returns the areas with one of the cases combinations_*. The driver's id decides which, so that it stays the same
// when other drivers are added.
func sample(areas []harness.Area, driver string) []harness.Area {
	all := combinationsIn(areas)
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(driver))
	kept := all[int(hash.Sum32())%len(all)]
	for i := range areas {
		areas[i].Cases = slices.DeleteFunc(areas[i].Cases, func(c harness.Case) bool { return c.ID != kept && slices.Contains(all, c.ID) })
	}
	return areas
}

// combinationsIn returns the ids of the cases combinations_* in the areas.
func combinationsIn(areas []harness.Area) []string {
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
