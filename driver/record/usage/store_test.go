// SPDX-License-Identifier: Apache-2.0

package usage_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"

	"github.com/csi-topo/csi-topo/driver/durable"
	"github.com/csi-topo/csi-topo/driver/record/usage"
)

// published returns a record of the volume at a target path.
func published(volumeID, path string, flags ...string) usage.Record {
	return usage.Record{
		At:         usage.At{VolumeID: volumeID, Path: path, Role: usage.Published},
		AccessMode: "SINGLE_NODE_SINGLE_WRITER",
		ReadOnly:   true,
		FSType:     "ext4",
		MountFlags: flags,
	}
}

func open(t *testing.T, dir string, watch durable.Watch) *usage.Store {
	t.Helper()
	store, err := usage.Open(logr.NewContext(t.Context(), logr.Discard()), dir, watch)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func put(t *testing.T, store *usage.Store, records ...usage.Record) {
	t.Helper()
	for _, r := range records {
		if err := store.Put(r); err != nil {
			t.Fatal(err)
		}
	}
}

// filesIn returns the names of the files in the directory.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestRecordsOutliveTheStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "by", "open")
	long := published("v", "/"+strings.Repeat(strings.Repeat("d", 255)+"/", 15)+"target", "noatime")
	block := usage.Record{At: usage.At{VolumeID: "v", Path: "/staging", Role: usage.Staged}, AccessMode: "MULTI_NODE_MULTI_WRITER", Block: true}
	replaced := published("w", "/target")
	gone := published("v", "/gone")
	first := open(t, dir, nil)
	put(t, first, long, block, replaced, gone)
	replaced.ReadOnly = false
	put(t, first, replaced)
	if err := first.Remove(gone.At); err != nil {
		t.Fatal(err)
	}

	again := open(t, dir, nil)
	for _, want := range []usage.Record{long, block, replaced} {
		if got, found := again.Find(want.At); !found || !reflect.DeepEqual(got, want) {
			t.Errorf("opened again, there is %+v (%t), want %+v", got, found, want)
		}
	}
	if _, found := again.Find(gone.At); found {
		t.Error("a record that was removed is there again")
	}
	if got, _ := again.Find(long.At); !slices.Equal(got.MountFlags, []string{"noatime"}) {
		t.Error("the mount flags are not those that were kept")
	}
	if got := filesIn(t, dir); len(got) != 3 {
		t.Errorf("there are the files %v, want one for each of 3 records", got)
	}
}

func TestRecordsOfOneVolumeInOneRole(t *testing.T) {
	store := open(t, "", nil)
	b, a, other := published("v", "/b"), published("v", "/a"), published("w", "/a")
	staged := published("v", "/a")
	staged.Role = usage.Staged
	put(t, store, b, a, other, staged)
	if got := store.Of("v", usage.Published); !reflect.DeepEqual(got, []usage.Record{a, b}) {
		t.Errorf("got %v, want those of v at /a and /b", got)
	}
	if got := store.Of("v", usage.Staged); !reflect.DeepEqual(got, []usage.Record{staged}) {
		t.Errorf("got %v, want the one staged", got)
	}
	if got := store.All(); len(got) != 4 {
		t.Errorf("got %d records, want 4", len(got))
	}
	if err := store.Remove(usage.At{VolumeID: "x", Path: "/x", Role: usage.Staged}); err != nil {
		t.Errorf("removing what is not there: %v", err)
	}
}

func TestFilesAreNobodyElses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	put(t, open(t, dir, nil), published("v", "/target"))
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v (%v), want 0700", info.Mode(), err)
	}
	for _, name := range filesIn(t, dir) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v (%v), want 0600", name, info.Mode(), err)
		}
	}
}

// TestDamagedFiles checks that Open drops files without a record, logs that, and keeps the others.
func TestDamagedFiles(t *testing.T) {
	whole, err := json.Marshal(published("w", "/other"))
	if err != nil {
		t.Fatal(err)
	}
	hash := strings.Repeat("0", 64)
	for _, test := range []struct {
		name, file, text string
		stays            bool
	}{
		{name: "torn", file: hash + ".json", text: string(whole[:len(whole)/2])},
		{name: "empty", file: hash + ".json"},
		{name: "something else", file: hash + ".json", text: "[1, 2]"},
		{name: "no fields", file: hash + ".json", text: "{}"},
		{name: "under the name of another record", file: hash + ".json", text: string(whole)},
		{name: "not finished", file: "123.new", text: string(whole)},
		{name: "not of this package", file: "README", text: "keep out", stays: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, kept := t.TempDir(), published("v", "/target")
			put(t, open(t, dir, nil), kept)
			path := filepath.Join(dir, test.file)
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			var said strings.Builder
			logger := funcr.New(func(_, args string) { said.WriteString(args) }, funcr.Options{})
			store, err := usage.Open(logr.NewContext(t.Context(), logger), dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := store.All(); !reflect.DeepEqual(got, []usage.Record{kept}) {
				t.Errorf("there are %v, want the one that is whole", got)
			}
			if _, err := os.Stat(path); (err == nil) != test.stays {
				t.Errorf("%s is there: %t, want %t", test.file, err == nil, test.stays)
			}
			if strings.Contains(said.String(), path) == test.stays {
				t.Errorf("the log says %q; it should name %s: %t", said.String(), path, !test.stays)
			}
		})
	}
}

// TestDamagedFields checks that a record with one wrong field is dropped.
func TestDamagedFields(t *testing.T) {
	for _, test := range []struct {
		name  string
		given func(*usage.Record)
	}{
		{"no volume", func(r *usage.Record) { r.VolumeID = "" }},
		{"no path", func(r *usage.Record) { r.Path = "" }},
		{"a relative path", func(r *usage.Record) { r.Path = "target" }},
		{"no such role", func(r *usage.Record) { r.Role = "borrowed" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, r := t.TempDir(), published("v", "/target")
			test.given(&r)
			put(t, open(t, dir, nil), r)
			if got := open(t, dir, nil).All(); len(got) > 0 {
				t.Errorf("opened again, there is %v", got)
			}
			if got := filesIn(t, dir); len(got) > 0 {
				t.Errorf("there are still the files %v", got)
			}
		})
	}
}

// TestAFileThatCannotBeRead checks that a file that cannot be read stays, because it may be complete: here a directory
// has its name.
func TestAFileThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, strings.Repeat("0", 64)+".json")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, open(t, dir, nil), published("v", "/target"))
	if got := open(t, dir, nil).All(); len(got) != 1 {
		t.Errorf("there are %v, want the one record", got)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestOpenWithoutADirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		if _, err := usage.Open(t.Context(), dir, nil); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("opening %s answered %v, want an error that names it", dir, err)
		}
	}
}

var errCut = errors.New("cut off")

// cutAt fails at the given step and at all later ones, as if the process had ended there;
// steps lists the steps that were begun.
func cutAt(cut string, taken bool, steps *[]string) durable.Watch {
	ended := false
	return func(step string, done bool) error {
		if !done {
			*steps = append(*steps, step)
		}
		ended = ended || (step == cut && done == taken)
		if ended {
			return errCut
		}
		return nil
	}
}

// TestCutOff checks that when a Put or Remove ends before or after any of its steps, the old or the new record is on
// disk, never half of one.
func TestCutOff(t *testing.T) {
	before, after := published("v", "/target"), published("v", "/target", "noatime")
	after.ReadOnly = false
	for _, change := range []struct {
		name  string
		apply func(*usage.Store) error
		want  []usage.Record // if it has changed
		steps []string
	}{
		{"put", func(s *usage.Store) error { return s.Put(after) }, []usage.Record{after}, []string{"write usage", "name usage", "sync usages"}},
		{"remove", func(s *usage.Store) error { return s.Remove(before.At) }, nil, []string{"remove usage", "sync usages"}},
	} {
		t.Run(change.name, func(t *testing.T) {
			var all []string
			dir := t.TempDir()
			put(t, open(t, dir, nil), before)
			if err := change.apply(open(t, dir, cutAt("", false, &all))); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(all, change.steps) {
				t.Fatalf("the steps are %v, want %v", all, change.steps)
			}
			for n, step := range all {
				for _, taken := range []bool{false, true} {
					var steps []string
					dir := t.TempDir()
					put(t, open(t, dir, nil), before)
					store := open(t, dir, cutAt(step, taken, &steps))
					if err := change.apply(store); !errors.Is(err, errCut) {
						t.Errorf("cut off at %s (taken: %t), it answered %v", step, taken, err)
					}
					if len(steps) != n+1 {
						t.Errorf("cut off at %s (taken: %t), the steps begun are %v", step, taken, steps)
					}
					if files := filesIn(t, dir); len(files) > 1 {
						t.Errorf("cut off at %s (taken: %t), there are the files %v", step, taken, files)
					}
					got := open(t, dir, nil).All()
					if !reflect.DeepEqual(got, []usage.Record{before}) && !reflect.DeepEqual(got, change.want) {
						t.Errorf("cut off at %s (taken: %t), there is %v", step, taken, got)
					}
					// The change takes effect with its last step but one; the last is the sync.
					if changed := reflect.DeepEqual(got, change.want); changed != (n > len(all)-2 || n == len(all)-2 && taken) {
						t.Errorf("cut off at %s (taken: %t), it was made: %t", step, taken, changed)
					}
					if err := change.apply(open(t, dir, nil)); err != nil {
						t.Errorf("cut off at %s (taken: %t) and repeated, it answers %v", step, taken, err)
					}
				}
			}
		})
	}
}

// TestRemoveAfterAPutThatFailed checks that Remove removes the file of a failed Put.
func TestRemoveAfterAPutThatFailed(t *testing.T) {
	dir, r := t.TempDir(), published("v", "/target")
	syncs := 0
	store := open(t, dir, func(step string, taken bool) error {
		if step == "sync usages" && !taken {
			if syncs++; syncs == 1 {
				return errCut
			}
		}
		return nil
	})
	if err := store.Put(r); !errors.Is(err, errCut) {
		t.Fatalf("answered %v, want %v", err, errCut)
	}
	if err := store.Remove(r.At); err != nil {
		t.Fatal(err)
	}
	if files := filesIn(t, dir); len(files) > 0 {
		t.Errorf("there are the files %v, want none", files)
	}
}

// TestDroppingIsTriedAgain checks that a damaged file that cannot be removed at first is removed later.
func TestDroppingIsTriedAgain(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "1.new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var steps []string
	open(t, dir, cutAt("remove usage", false, &steps))
	if got := filesIn(t, dir); len(got) != 1 {
		t.Errorf("there are the files %v, want the one", got)
	}
	open(t, dir, nil)
	if got := filesIn(t, dir); len(got) != 0 {
		t.Errorf("there are the files %v, want none", got)
	}
}
