// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/profile/schema"
)

func newProfileCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "profile",
		Short: "Write or check a profile, the file in which a vendor describes a driver",
	}
	command.AddCommand(&cobra.Command{
		Use:               "check FILE",
		Short:             "Check a profile, and print what is wrong with its line and column",
		Example:           `  csi-topo profile check csi.example.com.yaml`,
		ValidArgsFunction: filesOr(profile.KnownNames()...),
		Args:              cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			read, err := profile.Load(args[0])
			if err != nil {
				return err
			}
			if err := checkWaivers(args[0], read); err != nil {
				return err
			}
			fmt.Fprintf(command.OutOrStdout(), "%s is a sound profile of driver %s: %s, %s, %s\n",
				args[0], read.Driver, count(len(read.Volumes), "volume kind"), count(len(read.Endpoints.Nodes), "node endpoint"), count(len(read.Waivers), "waiver"))
			return nil
		},
	})
	command.AddCommand(newProfileInitCommand(), newProfileImportCommand(), newProfileSchemaCommand())
	return command
}

func newProfileSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of a profile, with which an editor completes and checks one",
		Example: `  csi-topo profile schema > profile.schema.json
  # and as the first line of the profile: # yaml-language-server: $schema=profile.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			_, err := command.OutOrStdout().Write(schema.JSON())
			return err
		},
	}
}

// checkWaivers refuses a waiver of a case that does not exist: it would hide a mistake. The profile knows the requirements.
func checkWaivers(path string, read profile.Profile) error {
	exists := caseExists()
	var problems []error
	for _, waiver := range read.Waivers {
		if waiver.Case != "" && !exists(waiver.Case) {
			problems = append(problems, fmt.Errorf("%s waives the case %q, which does not exist: want an id that `csi-topo list` prints", path, waiver.Case))
		}
	}
	return errors.Join(problems...)
}
