// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/internal/target/profiling/convert"
)

func newProfileImportCommand() *cobra.Command {
	var file draftFile
	driver := ""
	command := &cobra.Command{
		Use:   "import [TESTDRIVER.yaml] [-- CSI-SANITY-FLAG...]",
		Short: "Convert a Kubernetes test-driver file, or csi-sanity's flags, to a profile",
		Long: `Convert the test-driver file of Kubernetes' external-storage suite (its --storage.testdriver), or csi-sanity flags after --,
to a profile. With both, csi-sanity's flags take precedence.
Everything that is not carried over is listed, with the reason, and where it belongs.

Other files that it names, such as a StorageClass's, are read from the current directory, or from the directory of the
test-driver file.`,
		Example: `  csi-topo profile import testdriver.yaml
  csi-topo profile import --driver csi.example.com -- -csi.endpoint=/csi/csi.sock -csi.testvolumesize=1073741824`,
		RunE: func(command *cobra.Command, args []string) error {
			files, flags := args, []string(nil)
			if at := command.ArgsLenAtDash(); at >= 0 {
				files, flags = args[:at], args[at:]
			}
			converted := &convert.Conversion{}
			if err := convertInto(converted, files, flags, driver); err != nil {
				return err
			}
			file.name(converted.Profile.Driver)
			if err := file.mayWrite(); err != nil {
				return err
			}
			printLeft(command.ErrOrStderr(), converted.Left)
			return file.write(command.OutOrStdout(), &converted.Draft)
		},
	}
	command.Flags().StringVar(&driver, "driver", "", "the driver's CSI `name`, which csi-sanity's flags do not include")
	file.addTo(command)
	return command
}

func convertInto(converted *convert.Conversion, files, flags []string, driver string) error {
	if len(files) == 0 && len(flags) == 0 {
		return errors.New("there is nothing to import: want a test-driver file, or flags of csi-sanity after --")
	}
	if len(files) > 1 {
		return fmt.Errorf("there are %d files: want one test-driver file, and flags of csi-sanity after --", len(files))
	}
	converted.Head = []string{"Written by `csi-topo profile import`. What begins with > says what was found, or how to find out; delete what you do not need. " +
		"`csi-topo profile check` checks the file, and `csi-topo spec --profile` uses it."}
	if len(files) > 0 {
		if err := converted.TestDriver(files[0]); err != nil {
			return err
		}
	}
	if err := converted.Sanity(flags); err != nil {
		return err
	}
	if driver != "" {
		converted.Profile.Driver = driver
	}
	return converted.Finish()
}

// printLeft lists the settings that were not carried over.
func printLeft(out io.Writer, left []string) {
	if len(left) == 0 {
		return
	}
	fmt.Fprintln(out, "not carried over:")
	for _, one := range left {
		fmt.Fprintf(out, "  %s\n", one)
	}
}
