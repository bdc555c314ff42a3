// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/driver/record"
)

func TestPage(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "records.db"))
	for _, id := range []string{"d", "b", "a", "c", "e"} {
		v := volume(id)
		if id == "c" {
			v.State = record.Creating
		}
		must(t, store.Put(v))
	}
	must(t, store.Publish(record.Publication{VolumeID: "b", NodeID: "n2"}, 0))
	must(t, store.Publish(record.Publication{VolumeID: "b", NodeID: "n1"}, 0))
	must(t, store.Publish(record.Publication{VolumeID: "bb", NodeID: "n3"}, 0))

	ready := func(v record.Volume) bool { return v.State == record.Ready }
	for _, test := range []struct {
		name  string
		after string
		limit int
		want  []string
		more  bool
	}{
		{"all", "", 0, []string{"a", "b", "d", "e"}, false},
		{"the first page", "", 2, []string{"a", "b"}, true},
		{"the last page, just full", "b", 2, []string{"d", "e"}, false},
		{"more than there are", "", 5, []string{"a", "b", "d", "e"}, false},
		{"after one that is not listed", "c", 2, []string{"d", "e"}, false},
		{"after one that has gone", "ab", 1, []string{"b"}, true},
		{"after the last", "e", 1, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			page, more, err := store.Page(test.after, test.limit, ready)
			must(t, err)
			var ids []string
			for _, entry := range page {
				ids = append(ids, entry.ID)
				if want := map[string][]string{"b": {"n1", "n2"}}[entry.ID]; !slices.Equal(entry.Nodes, want) {
					t.Errorf("volume %s is on %v, want %v", entry.ID, entry.Nodes, want)
				}
			}
			if !slices.Equal(ids, test.want) || more != test.more {
				t.Errorf("got %v and more %t, want %v and more %t", ids, more, test.want, test.more)
			}
		})
	}
}
