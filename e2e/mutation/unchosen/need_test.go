// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"math"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/mutation/edit"
)

func mutant(function, change string, outcome Outcome) Mutant {
	return Mutant{Edit: edit.Edit{File: "driver/pool/a.go", Function: function, Change: change}, Outcome: outcome}
}

func TestReasonsAreInOrder(t *testing.T) {
	if _, err := Reasons(); err != nil {
		t.Error(err)
	}
}

func TestExplain(t *testing.T) {
	r := Results{Mutants: []Mutant{
		mutant("f", "a → b", Survived), mutant("f", "c → d", Unreached), mutant("g", "a → b", Survived), mutant("f", "e → f", Killed),
	}}
	given := []Reason{
		{File: "driver/pool/a.go", Function: "f", Needs: Disk, Why: "of the function"},
		{File: "driver/pool/a.go", Function: "f", Changes: []string{"a → b"}, Needs: Nothing, Why: "of the change"},
		{File: "driver/pool/a.go", Function: "h", Needs: Disk, Why: "stale"},
	}
	stale := r.Explain(given)
	if len(stale) != 1 || stale[0].Function != "h" {
		t.Errorf("got %+v as stale, want that of h", stale)
	}
	for i, want := range []Need{Nothing, Disk, "", ""} {
		if got := r.Mutants[i].Needs; got != want {
			t.Errorf("%s %s: got %q, want %q", r.Mutants[i].Function, r.Mutants[i].Change, got, want)
		}
	}
	err := r.Check(stale)
	if err == nil || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(err.Error(), " g: ") || !strings.Contains(err.Error(), " h ") {
		t.Errorf("got %v, want the survivor of g and the reason of h", err)
	}
}

func TestCounts(t *testing.T) {
	silent, crashed := mutant("f", "1", Killed), mutant("f", "2", Killed)
	silent.Clause, crashed.Clause, crashed.Ended = Unanswerable, Unanswerable, true
	r := Results{All: 6, Mutants: []Mutant{
		silent, crashed, mutant("f", "3", Killed), mutant("f", "4", Survived), mutant("f", "5", Noticed), mutant("f", "6", Unreached),
	}}
	r.Mutants[5].Needs = Disk
	counts := r.Counts()
	want := Count{Package: "all", All: 6, Killed: 3, Noticed: 1, Survived: 1, Unreached: 1, Silent: 2, Crashed: 1, Missed: 1, noticed: ways{others: 1}}
	if got := counts[len(counts)-1]; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := want.Noticeable(); got != 5 {
		t.Errorf("a caller can notice %d, want all but the one that needs a disk", got)
	}
}

// The numbers are those of the literature: E. B. Wilson, 1927.
func TestInterval(t *testing.T) {
	low, high := Interval(9, 10)
	if math.Abs(low-0.5958) > 0.0005 || math.Abs(high-0.9821) > 0.0005 {
		t.Errorf("got %v to %v, want 0.5958 to 0.9821", low, high)
	}
}

func TestTheDocumentNamesEverySurvivor(t *testing.T) {
	r := Results{All: 3, Mutants: []Mutant{mutant("f", "a || b → a && b", Survived), mutant("f", "2", Killed), mutant("f", "3", Unreached)}}
	r.Mutants[2].Needs, r.Mutants[2].Why = Disk, "a disk"
	text := r.Markdown()
	for _, want := range []string{`a \|\| b → a && b`, "| `3` | not reached | a disk |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	r.Mutants[1].Clause, r.Mutants[1].By, r.Mutants[1].Ended = Unanswerable, "grow", true
	if want := "| `2` | killed | grow: the process ends during a call, and again |"; !strings.Contains(r.Markdown(), want) {
		t.Errorf("%q is missing, though that is all that is known against it", want)
	}
	if strings.Contains(text, "| `2` |") {
		t.Error("a mutant that was killed is listed")
	}
}
