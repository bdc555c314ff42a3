// SPDX-License-Identifier: Apache-2.0

package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// choosing returns the names of the flags that select cases, and that set the report's location and expected verdicts.
func choosing() []string {
	return []string{"focus", "skip", "label", "requirement", "rerun-failed", "report-dir", "report-configmap", "expected", "seed", "shuffle", "verbose", "keep"}
}

// nameCommand sets the command line that the report shows, and the one that repeats a single case.
func nameCommand(o *suite.Options, command *cobra.Command, args []string) {
	again := []string{command.CommandPath()}
	var choice []string
	command.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			word := "--" + f.Name + "=" + quoted(value)
			if slices.Contains(choosing(), f.Name) {
				choice = append(choice, word)
			} else {
				again = append(again, word)
			}
		}
	})
	o.Again = strings.Join(again, " ")
	whole := slices.Concat(again, choice)
	for _, arg := range args {
		whole = append(whole, quoted(arg))
	}
	o.Command = strings.Join(whole, " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quoted quotes a word for a shell.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
