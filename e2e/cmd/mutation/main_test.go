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
