// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestFlagsAreOfOneCommand shows that no command has another's defaults, by a variable that both set.
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

// TestPathsOfARunAreNotShown shows that what a process said does not differ between runs by where they were.
func TestPathsOfARunAreNotShown(t *testing.T) {
	const said = "opening the records /dev/shm/m1/r2/d/spec34/records.db: no; there is no /dev/shm/m1/r2/d/n"
	if got, want := without("/dev/shm/m1/r2/d", said), "opening the records records.db: no; there is no n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
