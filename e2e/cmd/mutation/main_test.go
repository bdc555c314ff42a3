// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/csi-topo/csi-topo/e2e/mutation"
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
	for _, s := range suitesOf([]mutation.Mutant{
		{ID: "part/wrong", Kind: mutation.Faulty},
		{ID: "right/quick", Kind: mutation.Conformant},
		{ID: "right/slow", Kind: mutation.Conformant, Long: true},
	}) {
		got = append(got, s.suite+" "+s.ids()[0])
	}
	want := []string{"spec right/slow", "spec right/quick", "csi-sanity " + reference, "spec part/wrong"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
