// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/mutation/edit"
)

// newServeCommand is a driver in a process of its own.
func newServeCommand() *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:    "serve ID",
		Short:  "Run one driver on its sockets, until it is interrupted or its input ends",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			m, err := mutantOf(args[0])
			if err != nil {
				return err
			}
			return m.Serve(command.Context(), dir, command.InOrStdin(), command.OutOrStdout(), os.Exit)
		},
	}
	command.Flags().StringVar(&dir, "dir", "", "directory that gets the sockets and the records")
	return command
}

// servedWith starts this program as the driver of the id, with the change of the number in force; 0 is none.
func servedWith(id string, change int) func(dir string) *exec.Cmd {
	return func(dir string) *exec.Cmd {
		command := exec.Command(os.Args[0], "serve", id, "--dir", dir) //nolint:noctx // who stops it waits for it
		command.Env = append(os.Environ(), fmt.Sprintf("%s=%d", edit.Variable, change))
		return command
	}
}
