// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/layout"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// completion returns a shell's proposals for the beginning of a word.
type completion = func(command *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective)

// completeFlag makes a shell propose values for a flag of the command.
func completeFlag(command *cobra.Command, flag string, propose completion) {
	if err := command.RegisterFlagCompletionFunc(flag, propose); err != nil {
		panic(err) // the flag does not exist, which every test of the command shows
	}
}

// words proposes these words, and no files.
func words(these ...string) completion {
	return cobra.FixedCompletions(these, cobra.ShellCompDirectiveNoFileComp)
}

// filesOr proposes YAML files, and these words.
func filesOr(these ...string) completion {
	return func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var found []cobra.Completion
		for _, word := range these {
			if strings.HasPrefix(word, begun) {
				found = append(found, word)
			}
		}
		if len(found) > 0 && begun != "" {
			return found, cobra.ShellCompDirectiveNoFileComp
		}
		return append(found, "yaml", "yml"), cobra.ShellCompDirectiveFilterFileExt
	}
}

// proposing proposes the completions that start with the beginning of the word.
func proposing(all func() []cobra.Completion) completion {
	return func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var found []cobra.Completion
		for _, one := range all() {
			if strings.HasPrefix(one, begun) {
				found = append(found, one)
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

func requirementIDs() []cobra.Completion {
	var all []cobra.Completion
	for _, row := range requirement.All() {
		all = append(all, cobra.CompletionWithDesc(row.ID, row.Text))
	}
	return all
}

// idsAndAreas returns proposals for --focus and --skip: the ids and areas of the cases of a tier, or of both.
func idsAndAreas(tier string) func() []cobra.Completion {
	return func() []cobra.Completion {
		var ids, areas []cobra.Completion
		for _, c := range casesFor(tier) {
			ids = append(ids, cobra.CompletionWithDesc(c.ID, c.Text))
			areas = append(areas, cobra.CompletionWithDesc(c.Area, "an area"))
		}
		return append(ids, slices.Compact(areas)...)
	}
}

// caseIDs returns the ids of the tier's cases, with their texts.
func caseIDs(tier string) func() []cobra.Completion {
	return func() []cobra.Completion {
		var ids []cobra.Completion
		for _, c := range casesFor(tier) {
			ids = append(ids, cobra.CompletionWithDesc(c.ID, c.Text))
		}
		return ids
	}
}

// labels returns the labels of the cases of a tier, or of both.
func labels(tier string) func() []cobra.Completion {
	return func() []cobra.Completion {
		all := []cobra.Completion{"csi-sanity"}
		for _, c := range casesFor(tier) {
			all = append(all, c.Labels()...)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
}

func casesFor(tier string) []suite.Listed {
	cases, err := casesOf(tier)
	if err != nil {
		return nil // completion has no place for errors
	}
	return cases
}

// complete adds a shell's proposals for the filters, from the cases of a tier, or of both.
func (f *filters) complete(command *cobra.Command, tier string) {
	completeFlag(command, "focus", proposing(idsAndAreas(tier)))
	completeFlag(command, "skip", proposing(idsAndAreas(tier)))
	completeFlag(command, "label", proposing(labels(tier)))
	completeFlag(command, "requirement", proposing(requirementIDs))
	completeFlag(command, "rerun-failed", filesOr())
}

// completeLayouts adds a shell's proposals for the layout of a new cluster.
func completeLayouts(command *cobra.Command) {
	completeFlag(command, "layout", filesOr(layout.Known()...))
}

func completeProfiles(command *cobra.Command) {
	completeFlag(command, "profile", filesOr(profile.KnownNames()...))
}
