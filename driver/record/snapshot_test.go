// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
)

func snapshot(id, volumeID string) record.Snapshot {
	return record.Snapshot{
		ID:       id,
		Name:     "name-of-" + id,
		State:    record.Ready,
		VolumeID: volumeID,
		Bytes:    1 << 20,
		Class:    "fast",
		Segments: []topology.Segment{{"x/zone": "Z2"}, {"x/zone": "Z3"}},
		Taken:    time.Date(2026, 7, 22, 10, 11, 12, 13, time.UTC),
	}
}

func TestSnapshotsSurvive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	store := open(t, path)
	first, second := snapshot("a", "v"), snapshot("b", "v")
	must(t, store.PutSnapshot(first))
	must(t, store.PutSnapshot(second))
	first.State = record.Deleting
	must(t, store.PutSnapshot(first))

	// An acknowledged change is in the file at once, closed or not.
	afterKill := filepath.Join(t.TempDir(), "records.db")
	content, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(afterKill, content, 0o600))
	must(t, store.Close())

	for name, path := range map[string]string{"after Close": path, "after a kill": afterKill} {
		t.Run(name, func(t *testing.T) {
			store := open(t, path)
			for _, want := range []record.Snapshot{first, second} {
				got, err := store.Snapshot(want.ID)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("got %+v and %v, want %+v", got, err, want)
				}
				got, err = store.SnapshotNamed(want.Name)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("by name, got %+v and %v, want %+v", got, err, want)
				}
			}
		})
	}
}

// TestSnapshotNamesAreTheirOwn checks that a snapshot and a volume may have the same name and id.
func TestSnapshotNamesAreTheirOwn(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "records.db"))
	must(t, store.Put(volume("a")))
	must(t, store.PutSnapshot(snapshot("a", "a")))
	must(t, store.Remove("a"))
	if _, err := store.Snapshot("a"); err != nil {
		t.Errorf("the snapshot went with its volume: %v", err)
	}
	if _, err := store.Volume("a"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}

	other := snapshot("b", "a")
	other.Name = "name-of-a"
	if err := store.PutSnapshot(other); err == nil || !strings.Contains(err.Error(), `the name "name-of-a" belongs to snapshot a`) {
		t.Errorf("got %v, want that snapshot a has the name", err)
	}
	if _, err := store.Snapshot("b"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("the refused snapshot was recorded: %v", err)
	}
	if got := snapshotsOf(t, store, "a"); !slices.Equal(got, []string{"a"}) {
		t.Errorf("the volume has snapshots %v, want a only", got)
	}
}

func TestRemoveSnapshot(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "records.db"))
	must(t, store.PutSnapshot(snapshot("a", "v")))
	must(t, store.PutSnapshot(snapshot("b", "v")))
	must(t, store.RemoveSnapshot("a"))
	must(t, store.RemoveSnapshot("a"))
	if _, err := store.Snapshot("a"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	if _, err := store.SnapshotNamed("name-of-a"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	if got := snapshotsOf(t, store, "v"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("the volume has snapshots %v, want b only", got)
	}
	heir := snapshot("c", "v")
	heir.Name = "name-of-a"
	must(t, store.PutSnapshot(heir))
}

func snapshotsOf(t *testing.T, store *record.Store, volumeID string) []string {
	t.Helper()
	page, _, err := store.SnapshotsOf(volumeID, "", 0, func(record.Snapshot) bool { return true })
	must(t, err)
	return idsOf(page)
}

func idsOf(snapshots []record.Snapshot) []string {
	var ids []string
	for _, s := range snapshots {
		ids = append(ids, s.ID)
	}
	return ids
}

func TestSnapshotPages(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "records.db"))
	for _, given := range []struct{ id, volumeID string }{
		{"d", "v"}, {"b", "v"}, {"a", "w"}, {"c", "v"}, {"e", "v"}, {"f", "vv"}, {"g", "u"},
	} {
		s := snapshot(given.id, given.volumeID)
		if given.id == "c" {
			s.State = record.Creating
		}
		must(t, store.PutSnapshot(s))
	}
	ready := func(s record.Snapshot) bool { return s.State == record.Ready }
	for _, test := range []struct {
		name     string
		volumeID string // "" means all
		after    string
		limit    int
		want     []string
		more     bool
	}{
		{"all", "", "", 0, []string{"a", "b", "d", "e", "f", "g"}, false},
		{"the first page", "", "", 2, []string{"a", "b"}, true},
		{"the last page, just full", "", "e", 2, []string{"f", "g"}, false},
		{"after one that is not listed", "", "c", 1, []string{"d"}, true},
		{"after one that has gone", "", "ab", 1, []string{"b"}, true},
		{"after the last", "", "g", 1, nil, false},
		{"of a volume", "v", "", 0, []string{"b", "d", "e"}, false},
		{"of a volume, the first page", "v", "", 2, []string{"b", "d"}, true},
		{"of a volume, the last page, just full", "v", "b", 2, []string{"d", "e"}, false},
		{"of a volume, after one of another", "v", "a", 1, []string{"b"}, true},
		{"of a volume, after one that has gone", "v", "cc", 2, []string{"d", "e"}, false},
		{"of a volume, after the last", "v", "e", 1, nil, false},
		{"of a volume that has the beginning of another's id", "vv", "", 0, []string{"f"}, false},
		{"of a volume without any", "x", "", 0, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var page []record.Snapshot
			var more bool
			var err error
			if test.volumeID == "" {
				page, more, err = store.SnapshotPage(test.after, test.limit, ready)
			} else {
				page, more, err = store.SnapshotsOf(test.volumeID, test.after, test.limit, ready)
			}
			must(t, err)
			if got := idsOf(page); !slices.Equal(got, test.want) || more != test.more {
				t.Errorf("got %v and more %t, want %v and more %t", got, more, test.want, test.more)
			}
		})
	}
}
