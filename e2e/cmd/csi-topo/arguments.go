// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// exactly accepts n arguments, and atLeast n or more; the error quotes the line of usage.
func exactly(n int) cobra.PositionalArgs { return arguments(n, n) }

func atLeast(n int) cobra.PositionalArgs {
	const noLimit = 1 << 30
	return arguments(n, noLimit)
}

func arguments(least, most int) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("found %s: want %s", count(len(args), "argument"), strings.TrimSuffix(command.UseLine(), " [flags]"))
		}
		return nil
	}
}

// group makes the command only a parent of others: without a subcommand it prints its help, with the exit status of bad
// usage. Cobra would return 0 for that, and for a misspelt subcommand.
func group(command *cobra.Command, of ...*cobra.Command) *cobra.Command {
	command.AddCommand(of...)
	command.Args = cobra.NoArgs
	command.RunE = func(command *cobra.Command, _ []string) error {
		command.SetOut(command.ErrOrStderr())
		if err := command.Help(); err != nil {
			return err
		}
		return exitStatus(report.ExitError)
	}
	return command
}
