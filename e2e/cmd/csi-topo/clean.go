// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/spec"
)

func newCleanCommand() *cobra.Command {
	var options spec.Options
	var of spec.Leavings
	var at endpoints
	command := &cobra.Command{
		Use:   "clean [journal...]",
		Short: "Remove what killed runs of `spec` have left in a driver",
		Long: `Remove what killed runs of ` + "`csi-topo spec`" + ` have left in a driver: publications, staged volumes, volumes and snapshots.

A run keeps a journal of what it asks the driver to create, journal-RUN.jsonl in its report directory, or else in its own
temporary directory, and removes it once nothing is left. This command prints and removes what journals list, and nothing
else. It ignores runs that are still under way, and runs of other drivers.`,
		Example: `  csi-topo clean --profile csi.example.com.yaml --dry-run
  csi-topo clean --profile csi.example.com.yaml --report-dir _report`,
		RunE: func(command *cobra.Command, args []string) error {
			options.Cases.Out = command.OutOrStdout()
			options.Endpoint, options.NodeEndpoints, of.Journals = at.controller, at.nodes, args
			return spec.Clean(command.Context(), options, of)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.Profile, "profile", "", "the profile of the runs, a YAML `file`")
	at.addTo(command)
	flags.StringVar(&options.Cases.ReportDir, "report-dir", "", "also look for journals in this `directory`")
	flags.BoolVar(&of.DryRun, "dry-run", false, "print what would be removed, without removing it")
	addTimeoutFlags(flags, &options.Timeouts)
	completeFlag(command, "profile", filesOr())
	return command
}
