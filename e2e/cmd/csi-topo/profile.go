// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/profile/schema"
)

func newProfileCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:     "profile",
		Short:   "Write or check a profile, the file in which a vendor describes a driver",
		Example: `  csi-topo profile init --endpoint /csi/csi.sock > my.yaml`,
	}, &cobra.Command{
		Use:   "check FILE",
		Short: "Check a profile, and print its mistakes with line and column",
		Long: `Check a profile, and print everything that is wrong with it, with line and column. It also lists programs in the profile that
this machine does not have. It calls no endpoint: ` + "`csi-topo spec --dry-run`" + ` does that.`,
		Example:           `  csi-topo profile check csi.example.com.yaml`,
		ValidArgsFunction: filesOr(profile.KnownNames()...),
		Args:              exactly(1),
		RunE: func(command *cobra.Command, args []string) error {
			read, err := profile.Load(args[0])
			if err != nil {
				return err
			}
			if err := checkWaivers(args[0], read); err != nil {
				return err
			}
			fmt.Fprintf(command.OutOrStdout(), "%s is a valid profile for driver %s: %s, %s, %s\n",
				args[0], read.Driver, count(len(read.Volumes), "volume kind"), count(len(read.Endpoints.Nodes), "node endpoint"), count(len(read.Waivers), "waiver"))
			for _, program := range programsOf(read) {
				if _, err := exec.LookPath(program); err != nil {
					fmt.Fprintf(command.OutOrStdout(), "this machine does not have the program %s, which the profile names: %v\n", program, err)
				}
			}
			return nil
		},
	}, newProfileInitCommand(), newProfileImportCommand(), newProfileSchemaCommand())
}

// programsOf returns the programs that a profile runs on the machine of the spec tier, each once.
func programsOf(p profile.Profile) []string {
	var programs []string
	d := p.Directories
	for _, command := range [][]string{p.Restart, p.Exhaust.Command, p.Exhaust.GiveBack, d.Make, d.Remove, d.Exists, d.Write, d.Read} {
		if len(command) > 0 && !slices.Contains(programs, command[0]) {
			programs = append(programs, command[0])
		}
	}
	return programs
}

func newProfileSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of a profile, which lets editors complete and check profiles",
		Example: `  csi-topo profile schema > profile.schema.json
  # and as the first line of the profile: # yaml-language-server: $schema=profile.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			_, err := command.OutOrStdout().Write(schema.JSON())
			return err
		},
	}
}

// checkWaivers returns an error for a waiver of a case that does not exist: it would hide a mistake. The parser of profiles
// has already checked requirements.
func checkWaivers(path string, read profile.Profile) error {
	exists := caseExists()
	var problems []error
	for i, waiver := range read.Waivers {
		if waiver.Case != "" && !exists(waiver.Case) {
			problems = append(problems, fmt.Errorf("%s: the profile waives the case %q, which does not exist: want an id that `csi-topo list` prints", profile.Place(path, "waivers", i, "case"), waiver.Case))
		}
	}
	return errors.Join(problems...)
}
