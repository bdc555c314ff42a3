// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/internal/proxy"
)

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "csi-topo",
		Short: "Show whether a CSI driver keeps the topology promises of the CSI specification",
		Long: `Show whether a CSI driver keeps the topology promises of the CSI specification.

Exit status: 0 if no case failed and none ended in an error, 1 if a case failed, 2 if the suite could not tell,
exercised nothing, or was used wrongly. Warnings and skips do not change it. With --expected, it is 0 if every case ended as
the file expects, and 1 if one did not.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       versionText(),
	}
	root.SetVersionTemplate("{{ .Version }}")
	// Descriptions of flags are longer than a line.
	wrapped := fmt.Sprintf("FlagUsagesWrapped %d |", terminalWidth)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages |", wrapped))
	root.AddCommand(
		newSpecCommand(), newClusterCommand(), newJobCommand(), newListCommand(), newRequirementsCommand(), newProfileCommand(), newReportCommand(),
		proxy.NewProxy(), newCleanCommand(), newUpCommand(), newDownCommand(), newImagesCommand(), newEngineCommand(), newVersionCommand(),
	)
	return root
}
