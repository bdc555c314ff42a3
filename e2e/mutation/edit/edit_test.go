// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func sample(t *testing.T) Set {
	t.Helper()
	set, err := Load(t.Context(), ".", "./testdata/sample")
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestWhatIsChanged(t *testing.T) {
	const file = "testdata/sample/sample.go "
	var got []string
	for _, e := range sample(t).Edits {
		got = append(got, strings.TrimPrefix(e.ID(), file))
	}
	for _, want := range []string{
		"(*store).take: n <= 0 || n > s.free → n <= 0 && n > s.free",
		"(*store).take: n <= 0 → n > 0",
		"(*store).take: n <= 0 → n < 0",
		"(*store).take: n > s.free → n >= s.free",
		"(*store).take: { return 0, errFull } → {}",
		"(*store).take: return 0, errFull → return 1, errFull",
		"(*store).take: return 0, errFull → return 0, nil",
		"(*store).take: s.free -= n → removed",
		"(*store).take: s.used += n → s.used -= n",
		"(*store).take: return s.free, nil → return 0, nil",
		"(*store).claims: continue → break",
		"(*store).claims: return true → return false",
		"largest: max(most, t.value()) → min(most, t.value())",
		"(*store).reset: s.used == 0 → s.used != 0",
		"(*store).reset: s.used-- → s.used++",
		"(*store).reset: s.reset() → removed",
		"(*store).lazily: !s.claims() → s.claims()",
		`(*store).lazily: return "" → return "x"`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, unwanted := range []string{
		"(*store).take: return s.free, nil → return s.free, nil", // no change
		"(*store).reset: s.used-- → removed",                     // that is the branch
	} {
		if slices.Contains(got, unwanted) {
			t.Errorf("%q is there", unwanted)
		}
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(got))); len(unique) != len(got) {
		t.Errorf("%d of %d changes read like another one", len(got)-len(unique), len(got))
	}
}

func TestWhatDoesNotCompileIsLeftOut(t *testing.T) {
	set := sample(t)
	if set.Invalid != 1 {
		t.Errorf("%d were left out, want the one that continues where there is no loop", set.Invalid)
	}
	for _, e := range set.Edits {
		if e.Change == "break → continue" {
			t.Errorf("%s does not compile", e.ID())
		}
	}
}

func TestNumbersTellApartWhatReadsTheSame(t *testing.T) {
	edits := []Edit{{Change: "a → b"}, {Change: "c → d"}, {Change: "a → b"}}
	number(edits)
	if edits[0].Change != "a → b" || edits[1].Change != "c → d" || edits[2].Change != "a → b (2)" {
		t.Errorf("got %+v", edits)
	}
}

// All changes are in one program, and the variable chooses among them.
func TestTheChangeInForce(t *testing.T) {
	set := sample(t)
	dir := t.TempDir()
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", []byte("module sample\n"))
	for path, source := range set.Overlay {
		write(filepath.Base(path), source)
	}
	write("sample_test.go", []byte(`package sample

import "testing"

func TestTake(t *testing.T) {
	s := store{free: 2}
	if left, err := s.take(2, ""); left != 0 || err != nil || s.used != 2 {
		t.Error(left, err, s)
	}
}
`))
	for change, passes := range map[string]bool{
		"": true,
		"(*store).take: n > s.free → n >= s.free":                    false,
		"(*store).take: s.used += n → removed":                       false,
		"(*store).take: return s.free, nil → return 0, nil":          true, // nothing is left anyway
		"(*store).claims: return true → return false":                true, // it is not called
		"(*store).take: { return 0, errFull } → {}":                  true,
		"(*store).take: n <= 0 || n > s.free → n <= 0 && n > s.free": true,
	} {
		t.Run(change, func(t *testing.T) {
			at := slices.IndexFunc(set.Edits, func(e Edit) bool { return strings.HasSuffix(e.ID(), " "+change) })
			if at < 0 && change != "" {
				t.Fatal("there is no such change")
			}
			test := exec.CommandContext(t.Context(), "go", "test", "-count=1", ".")
			test.Dir = dir
			test.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", Variable+"="+strconv.Itoa(at+1))
			said, err := test.CombinedOutput()
			if (err == nil) != passes {
				t.Errorf("got %v, want that it passes: %v\n%s", err, passes, said)
			}
		})
	}
}
