// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version and commit of csi-topo, which reports include",
		Example: `  csi-topo version`,
		Args:    cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(command.OutOrStdout(), versionText())
			return err
		},
	}
}

// versionText returns the output of the version command and the --version flag.
func versionText() string {
	version, commit := suite.Version()
	return fmt.Sprintf("csi-topo %s, %s, %s/%s\ncommit %s\n",
		cmp.Or(version, "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH, cmp.Or(commit, "unknown"))
}
