// SPDX-License-Identifier: Apache-2.0

// Command scale measures the cost of topology and capacity with many segments, on a control plane without kubelets, and
// prints tables in Markdown.
package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/nodeimage"
	"github.com/csi-topo/csi-topo/e2e/scale"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

type options struct {
	focus, minor string
	turns        int
	seed         uint64
}

func newCommand() *cobra.Command {
	var o options
	command := &cobra.Command{
		Use:           "scale",
		Short:         "Measure what topology and capacity cost with many segments",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			chosen, err := o.experiments()
			if err != nil {
				return err
			}
			return o.run(command, chosen)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.focus, "focus", "", "run only experiments whose name matches the regular `expression`; those that take long run only if it is given")
	flags.StringVar(&o.minor, "kubernetes", nodeimage.DefaultMinor, "`minor` version of Kubernetes")
	flags.IntVar(&o.turns, "turns", 5, "`number` of times to run every row of a table")
	flags.Uint64Var(&o.seed, "seed", rand.Uint64(), "`number` that decides the order of the runs")
	return command
}

// experiments returns the experiments that the options select.
func (o options) experiments() ([]scale.Experiment, error) {
	if o.turns < 1 {
		return nil, fmt.Errorf("--turns is %d: want 1 or more", o.turns)
	}
	if err := nodeimage.CheckMinor(o.minor); err != nil {
		return nil, err
	}
	expression, err := regexp.Compile(o.focus)
	if err != nil {
		return nil, fmt.Errorf("--focus is %q: want a regular expression: %w", o.focus, err)
	}
	var chosen []scale.Experiment
	var names []string
	for _, e := range scale.Experiments() {
		names = append(names, e.Name)
		if expression.MatchString(e.Name) && (o.focus != "" || !e.Long) {
			chosen = append(chosen, e)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("--focus is %q: want an expression that matches one of %s", o.focus, strings.Join(names, ", "))
	}
	return chosen, nil
}

func (o options) run(command *cobra.Command, chosen []scale.Experiment) error {
	programs, err := scale.Build(command.Context(), o.minor, chosen, command.ErrOrStderr())
	if err != nil {
		return err
	}
	var failed error
	for _, e := range chosen {
		results, err := e.Run(command.Context(), programs, o.turns, o.seed, command.ErrOrStderr())
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		scale.Print(command.OutOrStdout(), e, results)
	}
	return failed
}
