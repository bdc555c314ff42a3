package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/requirement"
)

func newProfileCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "profile",
		Short: "Look after the file in which a vendor describes a driver",
	}
	command.AddCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Say whether a profile is sound, and with line and column what is wrong with it",
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			read, err := profile.ReadFile(args[0])
			if err != nil {
				return err
			}
			if err := checkWaivers(args[0], read); err != nil {
				return err
			}
			fmt.Fprintf(command.OutOrStdout(), "%s is a sound profile of driver %s: %d kinds of volume, %d node endpoints, %d waivers\n",
				args[0], read.Driver, len(read.Volumes), len(read.Endpoints.Nodes), len(read.Waivers))
			return nil
		},
	})
	return command
}

// checkWaivers refuses a waiver of what the register does not hold: it would hide a mistake.
func checkWaivers(path string, read profile.Profile) error {
	var problems []error
	for _, waiver := range read.Waivers {
		if _, found := requirement.ByID(waiver.Requirement); !found {
			problems = append(problems, fmt.Errorf("%s waives %q, which is no requirement: want an id that `csi-topo requirements` prints", path, waiver.Requirement))
		}
	}
	return errors.Join(problems...)
}
