// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/unchosen"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// enough is how many cases may wait for calls that are never answered, until no other is run.
const enough = 4

// verdictOf is what is told of a driver by its cases.
type verdictOf struct {
	Cases []report.Case `yaml:"cases"`
	// Ended is how many times the process of a driver ended that has one of its own.
	Ended int `yaml:"ended"`
}

// newJudgeCommand is what runs in a process of its own, with a changed driver in it. It ends as soon as a case kills it.
func newJudgeCommand() *cobra.Command {
	var file, cases, but string
	var whole, apart bool
	var change int
	command := &cobra.Command{
		Use:    "judge ID",
		Short:  "Run cases against one driver until one of them kills it",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			j := judge{file: file, whole: whole, but: map[string]string{}}
			if but != "" {
				text, err := os.ReadFile(but)
				if err != nil {
					return fmt.Errorf("reading what cases have against the driver: %w", err)
				}
				if err := yaml.Unmarshal(text, j.but); err != nil {
					return fmt.Errorf("reading what cases have against the driver: %w", err)
				}
			}
			if apart {
				j.process = &mutation.Process{Command: servedWith(args[0], change)}
			}
			return j.run(command.Context(), args[0], strings.Fields(cases))
		},
	}
	command.Flags().StringVar(&file, "file", "", "file that gets what the cases have against the driver")
	command.Flags().StringVar(&cases, "cases", "", "ids of the only cases that are run, space separated")
	command.Flags().StringVar(&but, "but", "", "file with what the cases have against the driver before it is changed")
	command.Flags().BoolVar(&whole, "whole", false, "run all cases, whatever they say")
	command.Flags().BoolVar(&apart, "apart", false, "run the driver in a process of its own, which is started again when it ends")
	command.Flags().IntVar(&change, "change", 0, "number of the change that is in force in the process of --apart; 0 is none")
	return command
}

type judge struct {
	file  string
	whole bool
	but   map[string]string
	said  verdictOf
	// process is that of the driver; nil while it is this one.
	process *mutation.Process
}

func (j *judge) run(ctx context.Context, id string, cases []string) error {
	m, err := mutantOf(id)
	if err != nil {
		return err
	}
	m.Only, m.Watch, m.Process = cases, j, j.process
	_, err = m.RunSpec(ctx, mutation.Cases{Areas: spec.Areas()}, 1)
	// No caller can notice how the driver stops, and one that does not answer need not stop either.
	stops := !errors.Is(err, mutation.ErrNotStopped) && unchosen.Unanswered(j.said.Cases) == 0
	if err != nil && (j.process == nil || stops) {
		return err
	}
	return j.write()
}

// Begin is told that a case begins.
func (j *judge) Begin(string) {}

// End hears a case. Nothing outlives the process but its temporary directory, which is removed by who began it.
func (j *judge) End(r suite.Result) {
	c := brief(r)
	if j.process != nil && (j.process.Ended() > 0 || unchosen.Unanswered(j.said.Cases) > 0) {
		c = unchosen.AfterAnEnd(c)
	}
	j.said.Cases = append(j.said.Cases, c)
	if j.whole || unchosen.Judge(j.said.Cases, j.but).Outcome != unchosen.Killed && unchosen.Unanswered(j.said.Cases) < enough {
		return
	}
	if err := j.write(); err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func (j *judge) write() error {
	if j.process != nil {
		j.said.Ended = j.process.Ended()
	}
	text, err := yaml.Marshal(j.said)
	if err != nil {
		return fmt.Errorf("encoding what the cases said: %w", err)
	}
	return os.WriteFile(j.file, text, 0o600)
}

// brief returns what the proof needs of a result.
func brief(r suite.Result) report.Case {
	return report.Case{ID: r.ID, Verdict: r.Verdict, Blamed: r.Blamed, Message: r.Message}
}
