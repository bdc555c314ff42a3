// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
)

func open(t *testing.T, path string) *record.Store {
	t.Helper()
	store, err := record.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func volume(id string) record.Volume {
	return record.Volume{
		ID:       id,
		Name:     "name-of-" + id,
		State:    record.Ready,
		Bytes:    1 << 20,
		Segments: []topology.Segment{{"x/zone": "Z2"}, {"x/zone": "Z3"}},
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestVolumesSurvive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	store := open(t, path)
	first, second := volume("a"), volume("b")
	must(t, store.Put(first))
	must(t, store.Put(second))
	first.State, first.GrowingTo = record.Deleting, 2<<20
	first.Class, first.Allocated, first.FromVolume, first.FromSnapshot = "fast", true, "c", "s"
	must(t, store.Put(first))
	published := record.Publication{VolumeID: "b", NodeID: "n1", AccessMode: "SINGLE_NODE_WRITER", ReadOnly: true, FSType: "xfs", MountFlags: []string{"noatime"}}
	must(t, store.Publish(published, 0))

	// An acknowledged change is in the file at once, closed or not.
	afterKill := filepath.Join(t.TempDir(), "records.db")
	content, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(afterKill, content, 0o600))
	must(t, store.Close())

	for name, path := range map[string]string{"after Close": path, "after a kill": afterKill} {
		t.Run(name, func(t *testing.T) {
			store := open(t, path)
			got, err := store.Volume("a")
			if err != nil || !reflect.DeepEqual(got, first) {
				t.Errorf("got %+v and %v, want %+v", got, err, first)
			}
			got, err = store.VolumeNamed("name-of-b")
			if err != nil || !reflect.DeepEqual(got, second) {
				t.Errorf("got %+v and %v, want %+v", got, err, second)
			}
			publications, err := store.Publications("b")
			if err != nil || len(publications) != 1 || !publications[0].Equal(published) {
				t.Errorf("got %+v and %v, want %+v", publications, err, published)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "records.db"))
	must(t, store.Put(volume("a")))
	must(t, store.Remove("a"))
	must(t, store.Remove("a"))
	if _, err := store.Volume("a"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	if _, err := store.VolumeNamed("name-of-a"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	heir := volume("b")
	heir.Name = "name-of-a"
	must(t, store.Put(heir))
}

func TestNameIsUnique(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "records.db"))
	must(t, store.Put(volume("a")))
	other := volume("b")
	other.Name = "name-of-a"
	if err := store.Put(other); err == nil || !strings.Contains(err.Error(), `the name "name-of-a" belongs to volume a`) {
		t.Errorf("got %v, want that volume a has the name", err)
	}
	if _, err := store.Volume("b"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("the refused volume was recorded: %v", err)
	}
}

func TestOpenTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	open(t, path)
	_, err := record.Open(path, nil)
	if err == nil || !strings.Contains(err.Error(), "another process has them open") {
		t.Errorf("got %v, want that another process has them open", err)
	}
}

func TestOpenWhatIsNoStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	must(t, os.WriteFile(path, []byte(strings.Repeat("no database", 1000)), 0o600))
	if _, err := record.Open(path, nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want an error that names %s", err, path)
	}
}

func TestClosed(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "records.db"))
	must(t, store.Close())
	if err := store.Put(volume("a")); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("got %v, want that the records are closed", err)
	}
}

// TestConcurrentChanges checks that each of many concurrent changes gets its own result, though they share commits.
func TestConcurrentChanges(t *testing.T) {
	const count = 200
	store := open(t, filepath.Join(t.TempDir(), "records.db"))
	must(t, store.Put(volume("first")))
	var wait sync.WaitGroup
	refused := make([]error, count)
	for i := range count {
		wait.Go(func() {
			v := volume(fmt.Sprintf("%03d", i))
			if i%10 == 0 {
				v.Name = "name-of-first"
			}
			refused[i] = store.Put(v)
		})
	}
	wait.Wait()
	for i, err := range refused {
		if want := i%10 == 0; (err != nil) != want {
			t.Errorf("change %d: got error %v, want one: %t", i, err, want)
		}
		_, found := store.Volume(fmt.Sprintf("%03d", i))
		if (found == nil) != (err == nil) {
			t.Errorf("change %d: answered %v, recorded %v", i, err, found)
		}
	}
}
