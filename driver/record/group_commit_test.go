// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"
)

func TestGroupCommit(t *testing.T) {
	const callers = 100
	for _, test := range []struct {
		name    string
		refused func(caller int) bool
		commits int
	}{
		{"as many changes as there are callers share one commit", func(int) bool { return false }, 1},
		{"a change that is refused costs the others no commit", func(caller int) bool { return caller%10 == 0 }, 1},
		{"changes that are all refused need no commit", func(int) bool { return true }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			grouped(t, func(store *Store) {
				var puts []func() error
				for caller := range callers {
					v := Volume{ID: fmt.Sprintf("%03d", caller), Name: fmt.Sprintf("name-%03d", caller)}
					if test.refused(caller) {
						v.Name = "taken"
					}
					puts = append(puts, func() error { return store.Put(v) })
				}
				commits, answers := inOneGroup(t, store, puts...)
				if commits != test.commits {
					t.Errorf("%d changes at once took %d commits, want %d", callers, commits, test.commits)
				}
				for caller, err := range answers {
					if refused := test.refused(caller); (err != nil) != refused {
						t.Errorf("caller %d: got %v, want an error: %t", caller, err, refused)
					}
					_, found := store.Volume(fmt.Sprintf("%03d", caller))
					if (found == nil) != (err == nil) {
						t.Errorf("caller %d: answered %v, recorded %v", caller, err, found)
					}
				}
			})
		})
	}
}

// TestLoneChangeWaitsForNobody checks that a single change is committed at once.
func TestLoneChangeWaitsForNobody(t *testing.T) {
	grouped(t, func(store *Store) {
		began, before := time.Now(), committed(t, store)
		if err := store.Put(Volume{ID: "a", Name: "name-of-a"}); err != nil {
			t.Fatal(err)
		}
		if commits := committed(t, store) - before; commits != 1 {
			t.Errorf("one change took %d commits", commits)
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("a change that comes alone waited for %s", waited)
		}
	})
}

func TestNamesInOneGroup(t *testing.T) {
	put := func(id, name string) func(*Store) error {
		return func(s *Store) error { return s.Put(Volume{ID: id, Name: name}) }
	}
	remove := func(id string) func(*Store) error {
		return func(s *Store) error { return s.Remove(id) }
	}
	// The state after a commit that returned an error although it is on disk.
	twin := func(s *Store) error {
		return s.changes.commit("twin", func(tx *bbolt.Tx) error {
			return tx.Bucket(volumesBucket).Put([]byte("twin"), []byte(`{"id": "twin", "name": "taken"}`))
		})
	}
	for _, test := range []struct {
		name    string
		changes []func(*Store) error
		refused string            // in the error of the last change; "" means no error
		want    map[string]string // id by name afterwards; "" means none
	}{
		{"given twice", []func(*Store) error{put("a", "name"), put("b", "name")},
			`the name "name" belongs to volume a`, map[string]string{"name": "a"}},
		{"given up and given again", []func(*Store) error{remove("first"), put("b", "taken")},
			"", map[string]string{"taken": "b"}},
		{"given, given up and given again", []func(*Store) error{put("a", "name"), remove("a"), put("b", "name")},
			"", map[string]string{"name": "b"}},
		{"given and given up", []func(*Store) error{put("a", "name"), remove("a")},
			"", map[string]string{"name": "", "taken": "first"}},
		{"not given to a volume that is refused", []func(*Store) error{put(strings.Repeat("a", bbolt.MaxKeySize+1), "name"), put("b", "name")},
			"", map[string]string{"name": "b"}},
		{"given up by a volume that has not got it", []func(*Store) error{twin, remove("twin")},
			"", map[string]string{"taken": "first"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			grouped(t, func(store *Store) {
				var changes []func() error
				for _, change := range test.changes {
					changes = append(changes, func() error { return change(store) })
				}
				_, answers := inOneGroup(t, store, changes...)
				last := answers[len(answers)-1]
				if (last == nil) != (test.refused == "") || (last != nil && !strings.Contains(last.Error(), test.refused)) {
					t.Errorf("got %v, want %q", last, test.refused)
				}
				for name, want := range test.want {
					got, err := store.VolumeNamed(name)
					if got.ID != want || (want == "") != errors.Is(err, ErrNotFound) {
						t.Errorf("%q is the name of %q, %v; want %q", name, got.ID, err, want)
					}
				}
			})
		})
	}
}

// grouped runs the test with a store that has a volume "first" with the name "taken", in a bubble that can wait until all
// goroutines are blocked.
func grouped(t *testing.T, test func(*Store)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.db")
	synctest.Test(t, func(t *testing.T) {
		store, err := Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = store.Close() }()
		if err := store.Put(Volume{ID: "first", Name: "taken"}); err != nil {
			t.Fatal(err)
		}
		test(store)
	})
}

// inOneGroup makes the changes while a commit is under way, in this order. It returns the total number of commits, and
// the error of each change.
func inOneGroup(t *testing.T, store *Store, changes ...func() error) (commits int, answers []error) {
	t.Helper()
	underWay := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		_ = store.changes.commit("nothing", func(*bbolt.Tx) error {
			<-underWay
			return errors.New("only to hold the others up")
		})
	})
	synctest.Wait()
	before := committed(t, store)
	answers = make([]error, len(changes))
	for i, change := range changes {
		wait.Go(func() { answers[i] = change() })
		synctest.Wait()
	}
	close(underWay)
	wait.Wait()
	return committed(t, store) - before, answers
}

// committed returns the number of commits to the file.
func committed(t *testing.T, store *Store) (count int) {
	t.Helper()
	if err := store.db.View(func(tx *bbolt.Tx) error {
		count = tx.ID()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return count
}
