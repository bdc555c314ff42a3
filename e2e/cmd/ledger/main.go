// SPDX-License-Identifier: Apache-2.0

// Command ledger prints how each line of the CSI specification with a keyword, and each statement of the documents on
// Kubernetes, is accounted for, and the action if one is not. The specification has the version in go.mod; if the ledger is
// for an older version, each new, changed or removed line is named.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/requirement/ledger"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "ledger:", err)
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	var markdown, renumbering, dating bool
	var file string
	command := &cobra.Command{
		Use:           "ledger",
		Short:         "Print how every line of the CSI specification is accounted for, and what remains to be done",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			now, err := newerSpecification(command.Context(), file)
			if err != nil {
				return err
			}
			was, err := recordedSpecification(command.Context(), now)
			if err != nil {
				return err
			}
			switch {
			case renumbering:
				return renumber(was, now)
			case dating:
				return date(command.Context(), command.OutOrStdout())
			}
			return printLedger(command.OutOrStdout(), was, now, markdown)
		},
	}
	flags := command.Flags()
	flags.BoolVar(&markdown, "markdown", false, "print the whole ledger as a page")
	flags.StringVar(&file, "spec", "", "a spec.md to compare with, instead of the one of the version in go.mod")
	flags.BoolVar(&renumbering, "renumber", false, "at a newer version in go.mod, write the numbers of lines that only moved into the register and the ledger")
	flags.BoolVar(&dating, "since", false, "write into the register which version of the specification introduced each requirement, from the texts of all versions")
	command.MarkFlagsMutuallyExclusive("spec", "renumber", "since")
	return command
}

// printLedger prints the counts, or the page. Its error has a sentence for each required action.
func printLedger(out io.Writer, was, now specification, markdown bool) error {
	entries, err := ledger.Specification(was.text)
	documents, documentsErr := ledger.Documents()
	todo := errors.Join(err, documentsErr)
	if now.text != was.text {
		sentences, err := ledger.Newer(was.text, now.version, now.text)
		if err != nil {
			return err
		}
		if len(sentences) == 0 {
			sentences = []string{"nothing that is accounted for has changed"}
		}
		todo = errors.Join(todo, fmt.Errorf("the ledger is of spec.md %s, and this is %s: keep this list, run `go run ./e2e/cmd/ledger --renumber`, do what the list says, and run `make generate`\n%s",
			was.version, now.version, strings.Join(sentences, "\n")))
	}
	page := pageOf(was.version, entries, documents)
	if markdown {
		if todo == nil {
			page.printMarkdown(out)
		}
		return todo
	}
	page.printCounts(out)
	return todo
}
