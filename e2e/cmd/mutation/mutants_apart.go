// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/e2e/mutation/unchosen"
	"github.com/csi-topo/csi-topo/e2e/report"
)

// foundApart judges once more what was noticed as an error where the mutant and the cases share a process. Now the mutant has
// one of its own, as the drivers of vendors do, so that the cases outlive it and can say what becomes of their calls.
func (m *mutants) foundApart(ctx context.Context, k known, number int, cases []string, noticed unchosen.Finding) (unchosen.Finding, error) {
	but, err := k.against()
	if err != nil {
		return noticed, err
	}
	var said verdictOf
	err = m.apart(ctx, &said, k.driver, number, "--but", k.but, "--cases", strings.Join(cases, " "))
	if ctx.Err() != nil {
		return noticed, ctx.Err()
	}
	if err != nil {
		return unchosen.Finding{Outcome: unchosen.Noticed, By: unchosen.AsProcess + err.Error()}, nil //nolint:nilerr // that is the finding
	}
	found := unchosen.Judge(said.Cases, but)
	found.Ended = said.Ended > 0
	if found.Outcome == unchosen.Killed {
		return found, nil
	}
	for _, id := range unchosen.Silent(said.Cases, but) {
		run := func(ctx context.Context, change int) (said verdictOf, err error) {
			err = m.apart(ctx, &said, k.driver, change, "--cases", id)
			return said, err
		}
		confirmed, ended, err := confirm(ctx, id, number, run)
		if err != nil || confirmed {
			return unchosen.Finding{Outcome: unchosen.Killed, By: id, Clause: unchosen.Unanswerable, Ended: ended}, err
		}
	}
	return found, nil
}

// apart runs cases against the driver in a process of its own, with the change in force; 0 is none.
func (m *mutants) apart(ctx context.Context, said *verdictOf, driver string, change int, arguments ...string) error {
	return m.process(ctx, said, nil, m.judging, append([]string{"judge", driver, "--apart", "--change", fmt.Sprint(change)}, arguments...)...)
}

// confirm runs one case against the changed driver and, over and over for as long as that takes, against the driver that is
// not changed: a machine that is too slow for the one is too slow for the other. It reports whether only the changed one does
// not answer, and whether its process ended.
func confirm(ctx context.Context, id string, change int, run func(ctx context.Context, change int) (verdictOf, error)) (confirmed, ended bool, err error) {
	var changed verdictOf
	var failed error
	var controls [][]report.Case
	done := make(chan struct{})
	group := errgroup.Group{}
	group.Go(func() error {
		defer close(done)
		changed, failed = run(ctx, change)
		return nil
	})
	group.Go(func() error {
		for {
			control, err := run(ctx, 0)
			if err != nil {
				control.Cases = nil // it did not pass
			}
			controls = append(controls, control.Cases)
			select {
			case <-done:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			default:
			}
		}
	})
	if err := group.Wait(); err != nil {
		return false, false, err
	}
	return failed == nil && unchosen.Confirmed(id, changed.Cases, controls), changed.Ended > 0, ctx.Err()
}
