// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestEveryCommandHasAnExample checks that each command has an example with commands
// and flags that exist.
func TestEveryCommandHasAnExample(t *testing.T) {
	root := newRootCommand()
	var visit func(*cobra.Command)
	visit = func(command *cobra.Command) {
		for _, inner := range command.Commands() {
			visit(inner)
		}
		if !command.Runnable() || command.Name() == "help" {
			return
		}
		if command.Example == "" {
			t.Errorf("%s has no example", command.CommandPath())
		}
		for line := range strings.Lines(command.Example) {
			words := strings.Fields(line)
			if len(words) == 0 || words[0] != root.Name() {
				continue
			}
			found, rest, err := root.Find(words[1:])
			if err != nil || found == root {
				t.Errorf("%s: %q is no command: %v", command.CommandPath(), line, err)
				continue
			}
			for _, word := range rest {
				name, isFlag := strings.CutPrefix(word, "--")
				name, _, _ = strings.Cut(name, "=")
				if isFlag && name == "" {
					break // the words after this are another program's
				}
				if isFlag && found.Flags().Lookup(name) == nil {
					t.Errorf("%s: %q has the flag --%s, which %s does not", command.CommandPath(), line, name, found.CommandPath())
				}
			}
		}
	}
	visit(root)
}
