// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// parseCommand parses the command line as the program does, and returns the command and its arguments. If the command is
// not whole, it may lack arguments, flags and the value of a flag.
func parseCommand(words []string, whole bool) (*cobra.Command, []string, error) {
	root := newRootCommand()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(words...)
	command, rest, err := root.Find(words)
	if err != nil {
		return nil, nil, err
	}
	command.InitDefaultHelpFlag()
	command.InitDefaultVersionFlag()
	var lacksValue *pflag.ValueRequiredError
	if err := command.ParseFlags(rest); err != nil && !errors.Is(err, pflag.ErrHelp) && (whole || !errors.As(err, &lacksValue)) {
		return nil, nil, err
	}
	args := command.Flags().Args()
	if whole || len(args) > 0 {
		if err := command.ValidateArgs(args); err != nil {
			return nil, nil, err
		}
	}
	if whole {
		return command, args, errors.Join(command.ValidateRequiredFlags(), command.ValidateFlagGroups())
	}
	return command, args, nil
}

// stands reports whether a word, such as FILE or '^ID$', is a placeholder.
func stands(word string) bool { return regexp.MustCompile(`^\^?[A-Z]+\.*\$?$`).MatchString(word) }

// TestDocumentsCommands parses every csi-topo command line in a page, and looks up the cases and requirements that it
// selects. TestRunConsoles runs the commands whose output the page shows, such as an error.
func TestDocumentsCommands(t *testing.T) {
	found := 0
	for _, d := range documents(t) {
		for _, line := range d.commands() {
			words, isOurs := line.arguments("csi-topo")
			if !isOurs || line.shown || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(word, "…") }) {
				continue
			}
			found++
			command, args, err := parseCommand(words, line.whole)
			if err != nil {
				t.Errorf("%s: %s: %v", d.path, line, err)
				continue
			}
			checkChoice(t, d.path+": "+line.String(), command, args)
		}
	}
	if found == 0 {
		t.Error("no page shows a command of csi-topo")
	}
}

// checkChoice looks up the ids that a command names, and checks that its regular expressions match a case.
func checkChoice(t *testing.T, line string, command *cobra.Command, args []string) {
	t.Helper()
	exists := caseExists()
	for _, arg := range args {
		switch name := command.Name(); {
		case stands(arg):
		case (name == "spec" || name == "cluster") && !exists(arg):
			t.Errorf("%s: there is no case %s", line, arg)
		case name == "requirements" && requirement.Meaning(arg) == "":
			t.Errorf("%s: there is no requirement %s", line, arg)
		}
	}
	command.Flags().Visit(func(flag *pflag.Flag) {
		values, isList := flag.Value.(pflag.SliceValue)
		if !isList {
			return
		}
		for _, value := range values.GetSlice() {
			switch {
			case stands(value):
			case flag.Name == "requirement" && requirement.Meaning(value) == "":
				t.Errorf("%s: there is no requirement %s", line, value)
			case (flag.Name == "focus" || flag.Name == "skip") && !matchesCase(value):
				t.Errorf("%s: no case matches %s", line, value)
			}
		}
	})
}

// matchesCase reports whether an expression selects a case by its id, area or text.
func matchesCase(expression string) bool {
	matches, err := regexp.Compile(expression)
	return err == nil && slices.ContainsFunc(append(specCases(), clusterCases()...), func(c suite.Listed) bool {
		return matches.MatchString(c.ID) || matches.MatchString(c.Area) || matches.MatchString(c.Text)
	})
}

var (
	namedCase     = regexp.MustCompile("\\bcases? `([A-Za-z0-9_-]+)`")
	exampleID     = regexp.MustCompile(`^T-[A-Z]+(?:-\w+)?$`)
	requirementID = regexp.MustCompile(`^(?:K8S-[A-Z]\d+|[A-Z]{2,}-\d+)$`)
	bareFlag      = regexp.MustCompile(`^--([a-z][a-z-]*)(?:[ =].*)?$`)
)

// TestDocumentsIDs looks up each case, requirement and flag that a page names in code by itself.
func TestDocumentsIDs(t *testing.T) {
	exists, flags := caseExists(), map[string]bool{"help": true, "version": true}
	addFlags(newRootCommand(), flags)
	for _, d := range documents(t) {
		for _, named := range namedCase.FindAllStringSubmatch(d.prose, -1) {
			if d.tells() && !stands(named[1]) && !exists(named[1]) {
				t.Errorf("%s names the case %s, which does not exist", d.path, named[1])
			}
		}
		for _, span := range d.spans() {
			if !d.tells() {
				continue
			}
			switch flag := bareFlag.FindStringSubmatch(span); {
			case exampleID.MatchString(span) && !exists(span):
				t.Errorf("%s names the case %s, which does not exist", d.path, span)
			case !exampleID.MatchString(span) && requirementID.MatchString(span) && requirement.Meaning(span) == "":
				t.Errorf("%s names the requirement %s, which does not exist", d.path, span)
			case flag != nil && !flags[flag[1]] && d.forUsers():
				t.Errorf("%s names the flag %s, which no command of csi-topo has", d.path, span)
			}
		}
	}
}

// addFlags adds the names of the flags of a command and of those below it.
func addFlags(command *cobra.Command, names map[string]bool) {
	command.Flags().VisitAll(func(flag *pflag.Flag) { names[flag.Name] = true })
	for _, below := range command.Commands() {
		addFlags(below, names)
	}
}

// TestDocumentsYAML reads the profiles that pages show, and looks up the inputs that they pass to the Action.
func TestDocumentsYAML(t *testing.T) {
	var action struct{ Inputs map[string]any }
	decode(t, "action.yml", documentText(t, "action.yml"), &action)
	for _, d := range documents(t) {
		for _, block := range d.code["yaml"] {
			if strings.HasPrefix(block, "driver:") {
				if _, err := profile.Parse(d.path, []byte(block)); err != nil {
					t.Errorf("%s shows a profile that is wrong: %v\n%s", d.path, err, block)
				}
			}
			if !strings.HasPrefix(block, "- uses:") {
				continue
			}
			var steps []struct {
				Uses string
				With map[string]any
			}
			decode(t, d.path, block, &steps)
			for _, step := range steps {
				for input := range step.With {
					if strings.HasPrefix(step.Uses, "csi-topo/csi-topo@") && action.Inputs[input] == nil {
						t.Errorf("%s gives the Action the input %s, which action.yml does not have", d.path, input)
					}
				}
			}
		}
	}
}

func decode(t *testing.T, name, text string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
}
