// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/mutation/edit"
	"github.com/csi-topo/csi-topo/e2e/mutation/unchosen"
)

const module = "github.com/csi-topo/csi-topo"

// changed are the packages of the driver that are changed.
var changed = []string{"driver/topology", "driver/pool", "driver/record", "driver/service"}

// variant is a driver that a mutant may be killed in.
type variant struct {
	// driver is its id in the catalogue.
	driver string
	// files are those of the changes for which it is run, as a regular expression.
	files *regexp.Regexp
}

// variants are tried one after another. All cases of the others are run, and of the reference driver those that reach the
// change.
var variants = []variant{
	{reference, regexp.MustCompile("")},
	{"right/whole-units", regexp.MustCompile(`/controller_(sizes|get_capacity)\.go$`)},
}

// mutants is a run of mutants that a tool makes.
type mutants struct {
	options
	seed   int64
	sample int
	again  bool

	scratch string
	set     edit.Set
	// judging has all changes compiled into it, and counting counts the statements that are reached.
	judging, counting string
	known             []known
	results           unchosen.Results
}

func newMutantsCommand(o *options) *cobra.Command {
	var m mutants
	command := &cobra.Command{
		Use:   "mutants",
		Short: "Change the reference driver wherever a tool can, and run the spec tier against each change",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if m.Update && (m.focus != "" || m.sample > 0) {
				return errors.New("--update with --focus or --sample: docs/mutants.md is of all mutants; leave one of them out")
			}
			m.parallel = o.parallel
			return m.run(command.Context(), command.OutOrStdout())
		},
	}
	flags := command.Flags()
	flags.StringVar(&m.ReportDir, "report-dir", "_report", "directory that gets mutants.yaml, and that a run goes on from which was interrupted")
	flags.StringVar(&m.Path, "document", "docs/mutants.md", "the document of --update")
	flags.StringVar(&m.focus, "focus", "", "change only what this regular expression matches of file, function and change")
	flags.IntVar(&m.sample, "sample", 0, "how many mutants are chosen at random, from all of them; 0 is all")
	flags.Int64Var(&m.seed, "seed", 1, "what the sample and the order follow from")
	flags.BoolVar(&m.Update, "update", false, "write the document")
	flags.BoolVar(&m.again, "again", false, "run only those again that were not killed by the last run in the same directory, whatever has been changed since")
	return command
}

// run makes the mutants and judges them.
func (m *mutants) run(ctx context.Context, out io.Writer) (err error) {
	began := time.Now()
	reasons, err := unchosen.Reasons()
	if err != nil {
		return err
	}
	if m.scratch, err = os.MkdirTemp("", "m"); err != nil { // a short path: it is that of sockets
		return fmt.Errorf("making a directory for the runs: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.scratch)) }()
	if err := os.MkdirAll(m.ReportDir, 0o755); err != nil { //nolint:gosec // a report is for everybody
		return fmt.Errorf("making the directory of the report: %w", err)
	}
	if err := m.build(ctx); err != nil {
		return err
	}
	chosen, err := m.choose()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "mutants: %d of %d, compiled after %.0f s, %d processes at once\n", len(chosen), len(m.set.Edits), time.Since(began).Seconds(), m.parallel)
	if err := m.learn(ctx); err != nil {
		return err
	}
	fmt.Fprintf(out, "mutants: what each case reaches is known after %.0f s\n", time.Since(began).Seconds())
	if err := m.judge(ctx, out, chosen); err != nil {
		return err
	}
	return m.conclude(out, reasons)
}

// build compiles the judges.
func (m *mutants) build(ctx context.Context) error {
	patterns := make([]string, 0, len(changed))
	packages := []string{module + "/e2e/cmd/mutation"} // without the program itself, nothing is counted
	for _, path := range changed {
		patterns, packages = append(patterns, "./"+path), append(packages, module+"/"+path)
	}
	var err error
	if m.set, err = edit.Load(ctx, ".", patterns...); err != nil {
		return err
	}
	overlay, err := m.overlay()
	if err != nil {
		return err
	}
	m.judging, m.counting = filepath.Join(m.scratch, "judging"), filepath.Join(m.scratch, "counting")
	if err := compile(ctx, "-overlay", overlay, "-o", m.judging); err != nil {
		return err
	}
	return compile(ctx, "-cover", "-coverpkg="+strings.Join(packages, ","), "-o", m.counting)
}

// overlay writes the changed files, and where they belong as the compiler wants to be told.
func (m *mutants) overlay() (string, error) {
	replace := map[string]string{}
	for path, source := range m.set.Overlay {
		file := filepath.Join(m.scratch, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(file, source, 0o600); err != nil {
			return "", fmt.Errorf("writing the changes: %w", err)
		}
		replace[path] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("encoding the overlay: %w", err)
	}
	file := filepath.Join(m.scratch, "overlay.json")
	return file, os.WriteFile(file, text, 0o600)
}

func compile(ctx context.Context, arguments ...string) error {
	command := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-buildvcs=false", "-trimpath"}, arguments, []string{"./e2e/cmd/mutation"})...)
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling the changed driver: %w\n%s", err, said)
	}
	return nil
}

// choose returns the numbers of the mutants that are run, in the order in which they are.
func (m *mutants) choose() ([]int, error) {
	focus, err := regexp.Compile(m.focus)
	if err != nil {
		return nil, fmt.Errorf("--focus wants a regular expression: %w", err)
	}
	var chosen []int
	for i, e := range m.set.Edits {
		if focus.MatchString(e.ID()) {
			chosen = append(chosen, i+1)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("--focus %q matches no mutant: want a part such as driver/pool/usable.go", m.focus)
	}
	m.results = unchosen.Results{All: len(chosen), Seed: m.seed, Focus: m.focus, Invalid: m.set.Invalid}
	for _, v := range variants {
		m.results.Drivers = append(m.results.Drivers, v.driver)
	}
	order := rand.New(rand.NewPCG(uint64(m.seed), 0)) //nolint:gosec // the same seed has to give the same sample
	order.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	if m.sample > 0 && m.sample < len(chosen) {
		chosen = chosen[:m.sample]
	}
	return chosen, nil
}

// conclude writes what became of the mutants, and fails if one that was not killed has no reason.
func (m *mutants) conclude(out io.Writer, reasons []unchosen.Reason) error {
	m.results.Sort()
	stale := m.results.Explain(reasons)
	if err := m.results.Write(m.ReportDir); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n%s in %s\n", m.results.Summary(), unchosen.FileName, m.ReportDir)
	if m.Update {
		if err := os.WriteFile(m.Path, []byte(m.results.Markdown()), 0o644); err != nil { //nolint:gosec // a document is for everybody
			return fmt.Errorf("writing %s: %w", m.Path, err)
		}
	}
	if m.focus == "" && m.sample == 0 {
		return m.results.Check(stale)
	}
	return m.results.Check(nil)
}
