// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/catalogue"
	"github.com/csi-topo/csi-topo/e2e/spec"
)

// TestFlagsAreOfOneCommand checks that no command has another's defaults, by a variable that both set.
func TestFlagsAreOfOneCommand(t *testing.T) {
	root := newCommand()
	for _, command := range append([]*cobra.Command{root}, root.Commands()...) {
		command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if got := flag.Value.String(); got != flag.DefValue {
				t.Errorf("%s: --%s is %q at first, and says that it is %q", command.Name(), flag.Name, got, flag.DefValue)
			}
		})
	}
}

// TestPathsOfARunAreNotShown checks that what a process said does not differ between runs by where they
// were.
func TestPathsOfARunAreNotShown(t *testing.T) {
	const said = "opening the records /dev/shm/m1/r2/d/spec34/records.db: no; there is no /dev/shm/m1/r2/d/n"
	if got, want := without("/dev/shm/m1/r2/d", said), "opening the records records.db: no; there is no n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWhatTakesLongestBeginsFirst checks that no slow driver runs alone at the end.
func TestWhatTakesLongestBeginsFirst(t *testing.T) {
	var got []string
	chosen := []mutation.Mutant{
		{ID: "part/wrong", Kind: mutation.Faulty},
		{ID: "right/quick", Kind: mutation.Conformant},
		{ID: "right/slow", Kind: mutation.Conformant, Long: true},
	}
	all := append(options{}.bySpecOf(chosen), bySanityOf(chosen)...)
	longestFirst(all)
	for _, s := range all {
		got = append(got, s.suite+" "+s.ids()[0])
	}
	want := []string{"spec right/slow", "spec right/quick", "csi-sanity " + reference, "spec part/wrong"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRightDriversShareTheCombinations checks that each right driver gets one of the cases combinations_*, unless all of them
// are wanted, and that each of the cases is run.
func TestRightDriversShareTheCombinations(t *testing.T) {
	given := map[string]int{}
	for _, s := range (options{}).bySpecOf(catalogue.All()) {
		if right := s.mutants[0].Kind == mutation.Conformant; s.sampled != right {
			t.Errorf("%s: sampled is %t, want %t", s.mutants[0].ID, s.sampled, right)
		}
		if !s.sampled {
			continue
		}
		got := mutation.CombinationsIn(mutation.Sample(spec.Areas(), s.mutants[0].ID))
		if len(got) != 1 {
			t.Fatalf("%s gets %q, want one of the cases", s.mutants[0].ID, got)
		}
		given[got[0]]++
	}
	for _, id := range mutation.CombinationsIn(spec.Areas()) {
		if given[id] == 0 {
			t.Errorf("no right driver gets %s", id)
		}
	}
	for _, o := range []options{{all: true}, {focus: "^right/"}} {
		for _, s := range o.bySpecOf(catalogue.All()) {
			if s.sampled {
				t.Errorf("%+v: %s gets one of the cases, want all", o, s.mutants[0].ID)
			}
		}
	}
}

// TestInterruptionKeepsWhatWasSaid checks that the drivers that were judged before an interruption are in the report, and
// that the others have an error there.
func TestInterruptionKeepsWhatWasSaid(t *testing.T) {
	wrong := func(id string) []mutation.Mutant { return []mutation.Mutant{{ID: id, Kind: mutation.Faulty}} }
	shown := conclude([]*one{
		{mutants: wrong("part/judged"), suite: bySpec, said: []said{{Seconds: 1}}},
		{mutants: wrong("part/begun"), suite: bySpec, said: []said{{}}, err: context.Canceled},
		{mutants: append([]mutation.Mutant{{ID: reference}}, wrong("part/judged")...), suite: bySanity, err: context.Canceled},
	})
	var got []string
	for _, d := range shown.Drivers {
		got = append(got, fmt.Sprintf("%s %v %s", d.ID, d.Seconds, d.Error))
	}
	want := []string{
		"part/begun 0 spec: context canceled",
		"part/judged 1 csi-sanity: context canceled",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
