// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/driver/record"
)

// TestChangesAreWatched checks that the watch is notified of every change, before and after, with a distinct name.
func TestChangesAreWatched(t *testing.T) {
	var steps []string
	watch := func(step string, taken bool) error {
		steps = append(steps, fmt.Sprintf("%s %t", step, taken))
		return nil
	}
	store, err := record.Open(filepath.Join(t.TempDir(), "records.db"), watch)
	must(t, err)
	defer func() { must(t, store.Close()) }()
	creating, deleting := volume("a"), volume("a")
	creating.State, deleting.State = record.Creating, record.Deleting
	for _, test := range []struct {
		step string
		call func() error
	}{
		{"commit volume creating", func() error { return store.Put(creating) }},
		{"commit volume ready", func() error { return store.Put(volume("a")) }},
		{"commit publication", func() error { return store.Publish(record.Publication{VolumeID: "a", NodeID: "n"}, 0) }},
		{"commit end of publication", func() error { return store.Unpublish("a", "n") }},
		{"commit snapshot ready", func() error { return store.PutSnapshot(snapshot("s", "a")) }},
		{"commit end of snapshot", func() error { return store.RemoveSnapshot("s") }},
		{"commit volume deleting", func() error { return store.Put(deleting) }},
		{"commit end of volume", func() error { return store.Remove("a") }},
	} {
		steps = nil
		must(t, test.call())
		if want := []string{test.step + " false", test.step + " true"}; !slices.Equal(steps, want) {
			t.Errorf("got steps %v, want %v", steps, want)
		}
	}
}

// TestWatchedChangeThatFails checks that a change that the watch prevents is not made, and that one that it reports as
// failed afterwards is made nevertheless.
func TestWatchedChangeThatFails(t *testing.T) {
	errFault := errors.New("input/output error")
	for _, after := range []bool{false, true} {
		failing := false
		watch := func(_ string, taken bool) error {
			if failing && taken == after {
				return errFault
			}
			return nil
		}
		path := filepath.Join(t.TempDir(), "records.db")
		store, err := record.Open(path, watch)
		must(t, err)
		failing = true
		if err := store.Put(volume("a")); !errors.Is(err, errFault) {
			t.Errorf("got %v, want the fault", err)
		}
		if _, err := store.VolumeNamed("name-of-a"); (err == nil) != after {
			t.Errorf("failed after the change: %t, and then got %v", after, err)
		}
		must(t, store.Close())
		if _, err := open(t, path).Volume("a"); (err == nil) != after {
			t.Errorf("failed after the change: %t, and after a restart got %v", after, err)
		}
	}
}
