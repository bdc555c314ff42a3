// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"
	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/e2e/mutation/edit"
	"github.com/csi-topo/csi-topo/e2e/mutation/unchosen"
	"github.com/csi-topo/csi-topo/e2e/spec"
)

// hanging is how long the cases that reach a mutant may take, on a machine that has other things to do as well.
const hanging = 2 * time.Minute

// known is what is known of a driver before it is changed.
type known struct {
	variant
	// but is the file with what cases have against it.
	but string
	// reach is what each of the cases reaches; nil is not known.
	reach map[string]unchosen.Reach
}

// learn runs each of the drivers without a change: all cases once, whose findings count for nothing later, and each case
// on its own against the reference driver, to see what it reaches.
func (m *mutants) learn(ctx context.Context) error {
	for _, v := range variants {
		k := known{variant: v, but: filepath.Join(m.scratch, fmt.Sprintf("but%d.yaml", len(m.known)))}
		var all verdictOf
		if err := m.process(ctx, &all, nil, m.judging, "judge", k.driver, "--whole"); err != nil {
			return fmt.Errorf("running the cases against %s: %w", k.driver, err)
		}
		but := map[string]string{}
		for _, c := range all.Cases {
			but[c.ID] = unchosen.Said(c)
		}
		text, err := yaml.Marshal(but)
		if err != nil {
			return fmt.Errorf("encoding what cases have against %s: %w", k.driver, err)
		}
		if err := os.WriteFile(k.but, text, 0o600); err != nil {
			return fmt.Errorf("writing what cases have against %s: %w", k.driver, err)
		}
		if k.driver == reference {
			k.reach = map[string]unchosen.Reach{}
			if err := m.measure(ctx, k); err != nil {
				return err
			}
		}
		m.known = append(m.known, k)
	}
	return nil
}

// measure finds out what each case reaches.
func (m *mutants) measure(ctx context.Context, k known) error {
	var mutex sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(m.parallel)
	for _, area := range spec.Areas() {
		for _, c := range area.Cases {
			group.Go(func() error {
				reach, err := m.reachOf(ctx, k.driver, c.ID)
				if err != nil {
					return fmt.Errorf("measuring what case %s reaches of %s: %w", c.ID, k.driver, err)
				}
				mutex.Lock()
				defer mutex.Unlock()
				k.reach[c.ID] = reach
				return nil
			})
		}
	}
	return group.Wait()
}

func (m *mutants) reachOf(ctx context.Context, driver, id string) (reach unchosen.Reach, err error) {
	counted, err := os.MkdirTemp(m.scratch, "reach")
	if err != nil {
		return nil, fmt.Errorf("making a directory for the counts: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(counted)) }()
	if err := m.process(ctx, &verdictOf{}, []string{"GOCOVERDIR=" + counted}, m.counting, "judge", driver, "--whole", "--cases", id); err != nil {
		return nil, err
	}
	profile := filepath.Join(counted, "profile.txt")
	convert := exec.CommandContext(ctx, "go", "tool", "covdata", "textfmt", "-i", counted, "-o", profile)
	if said, err := convert.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("converting the counts: %w: %s", err, lastLine(said))
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, fmt.Errorf("reading the counts: %w", err)
	}
	return unchosen.ReadReach(bytes.NewReader(text), module)
}

// process runs one of the judges in a directory of its own.
func (m *mutants) process(ctx context.Context, said any, environment []string, program string, arguments ...string) error {
	ctx, cancel := context.WithTimeout(ctx, hanging)
	defer cancel()
	dir, err := os.MkdirTemp(m.scratch, "r")
	if err != nil {
		return fmt.Errorf("making a directory for a run: %w", err)
	}
	return errors.Join(inProcess(ctx, filepath.Join(dir, "d"), said, environment, program, arguments...), os.RemoveAll(dir))
}

// judge judges the mutants of these numbers, but for those that a run before has judged already.
func (m *mutants) judge(ctx context.Context, out io.Writer, chosen []int) error {
	kept, err := m.open()
	if err != nil {
		return err
	}
	defer func() { _ = kept.close() }() // every line has been written, or its error returned
	began, done := time.Now(), 0
	var mutex sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(m.parallel)
	for _, number := range chosen {
		e := m.set.Edits[number-1]
		if before, found := kept.of(e); found {
			mutex.Lock()
			m.results.Mutants = append(m.results.Mutants, before)
			mutex.Unlock()
			continue
		}
		group.Go(func() error {
			judged, err := m.judgeOne(ctx, number, e)
			if err != nil {
				return err
			}
			mutex.Lock()
			defer mutex.Unlock()
			done++
			const every = 50
			if done%every == 0 {
				fmt.Fprintf(out, "  %5.0f s  %d judged\n", time.Since(began).Seconds(), done)
			}
			m.results.Mutants = append(m.results.Mutants, judged)
			return kept.add(judged)
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("what has been judged is kept in %s: the same command goes on from there: %w", m.ReportDir, err)
	}
	return nil
}

// judgeOne runs the cases that reach the mutant, of one driver after another, until one kills it.
func (m *mutants) judgeOne(ctx context.Context, number int, e edit.Edit) (unchosen.Mutant, error) {
	mutant := unchosen.Mutant{Edit: e, Outcome: unchosen.Unreached}
	for _, k := range m.known {
		cases := k.reaching(e)
		if !k.files.MatchString(e.File) || k.reach != nil && len(cases) == 0 {
			continue
		}
		mutant.Cases += len(cases)
		found, err := m.found(ctx, k, number, cases)
		if err != nil {
			return mutant, err
		}
		if found.Outcome == unchosen.Noticed {
			if found, err = m.foundApart(ctx, k, number, cases, found); err != nil {
				return mutant, err
			}
		}
		if mutant.Outcome != unchosen.Noticed || found.Outcome == unchosen.Killed {
			mutant.Driver, mutant.Outcome, mutant.By, mutant.Clause, mutant.Ended = k.driver, found.Outcome, found.By, found.Clause, found.Ended
		}
		if mutant.Outcome == unchosen.Killed {
			break
		}
	}
	return mutant, nil
}

// reaching are the cases that reach the mutant, as far as that is known.
func (k known) reaching(e edit.Edit) []string {
	line, column := e.Reached()
	var cases []string
	for id, reach := range k.reach {
		if reach.At(e.File, line, column) {
			cases = append(cases, id)
		}
	}
	slices.Sort(cases)
	return cases
}

// found is what the cases find with the mutant of the number in force.
func (m *mutants) found(ctx context.Context, k known, number int, cases []string) (unchosen.Finding, error) {
	but, err := k.against()
	if err != nil {
		return unchosen.Finding{}, err
	}
	var said verdictOf
	err = m.process(ctx, &said, []string{fmt.Sprintf("%s=%d", edit.Variable, number)}, m.judging,
		"judge", k.driver, "--but", k.but, "--cases", strings.Join(cases, " "))
	if ctx.Err() != nil {
		return unchosen.Finding{}, ctx.Err()
	}
	if err != nil {
		return unchosen.Finding{Outcome: unchosen.Noticed, By: unchosen.AsProcess + err.Error()}, nil //nolint:nilerr // that is the finding
	}
	return unchosen.Judge(said.Cases, but), nil
}

// against is what cases have against the driver before it is changed.
func (k known) against() (map[string]string, error) {
	text, err := os.ReadFile(k.but)
	if err != nil {
		return nil, fmt.Errorf("reading what cases have against %s: %w", k.driver, err)
	}
	but := map[string]string{}
	if err := yaml.Unmarshal(text, but); err != nil {
		return nil, fmt.Errorf("reading what cases have against %s: %w", k.driver, err)
	}
	return but, nil
}
