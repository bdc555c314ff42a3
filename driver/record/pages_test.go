// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"testing"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// TestCommitsStaySmall checks that the size of a commit does not grow with the number of volumes, except for one page of
// the tree above the records, which gets one level higher.
func TestCommitsStaySmall(t *testing.T) {
	few, many := pagesOfCreations(t, 100), pagesOfCreations(t, 10_000)
	for callers, pages := range many {
		if pages > few[callers]+1 {
			t.Errorf("a volume each for %d callers is %d pages to write with 10,000 volumes, and %d with 100: want at most one more", callers, pages, few[callers])
		}
	}
}

// pagesOfCreations returns the number of pages written when each caller creates a volume, by the number of callers.
func pagesOfCreations(t *testing.T, present int) map[int]int64 {
	t.Helper()
	pages := map[int]int64{}
	grouped(t, func(store *Store) {
		var made int
		create := func(count int) {
			var puts []func() error
			for range count {
				v := numbered(made)
				puts = append(puts, func() error { return store.Put(v) })
				made++
			}
			inOneGroup(t, store, puts...)
		}
		for made < present {
			create(50)
		}
		for _, callers := range []int{1, 16, 100} {
			before := store.db.Stats()
			create(callers)
			after := store.db.Stats()
			pages[callers] = after.TxStats.GetPageCount() - before.TxStats.GetPageCount()
		}
	})
	return pages
}

// numbered returns a new volume as a driver makes it: its id comes after all others, and its name anywhere between the
// others.
func numbered(i int) Volume {
	return Volume{
		ID:       fmt.Sprintf("image-%08d-0000-7000-8000-000000000000", i),
		Name:     fmt.Sprintf("pvc-%08x-0000-4000-8000-000000000000", uint32(i)*2_654_435_761),
		State:    Creating,
		Bytes:    1 << 30,
		Segments: []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z1"}},
	}
}
