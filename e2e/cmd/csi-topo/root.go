package main

import (
	"github.com/spf13/cobra"
)

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "csi-topo",
		Short: "Show whether a CSI driver keeps the topology promises of the CSI specification",
		Long: `Show whether a CSI driver keeps the topology promises of the CSI specification.

Exit status: 0 if every case that ran passed, 1 if one failed, 2 if the harness could not tell or was used wrongly.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newSpecCommand(), newClusterCommand(), newListCommand(), newRequirementsCommand(), newProfileCommand(), newUpCommand(), newDownCommand(), newImagesCommand(), newEngineCommand())
	return root
}
