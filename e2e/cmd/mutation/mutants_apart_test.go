// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// What the changed driver does counts only where the driver that is not changed passes at the same time.
func TestConfirm(t *testing.T) {
	passes := verdictOf{Cases: []report.Case{{ID: "a", Verdict: suite.Passed}}}
	silent := verdictOf{Cases: []report.Case{{ID: "a", Verdict: suite.Failed, Blamed: []string{"GEN-08"}}}}
	broken := errors.New("signal: killed")
	for _, c := range []struct {
		name             string
		changed, control verdictOf
		failed, gone     error
		want             bool
	}{
		{"only the changed driver is silent", silent, passes, nil, nil, true},
		{"both are silent", silent, silent, nil, nil, false},
		{"the changed driver answers now", passes, passes, nil, nil, false},
		{"there is no control", silent, verdictOf{}, nil, broken, false},
		{"the changed driver's run gave up", silent, passes, broken, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			controlled := make(chan struct{})
			var controls atomic.Int32
			got, _, err := confirm(t.Context(), "a", 7, func(_ context.Context, change int) (verdictOf, error) {
				if change == 7 {
					<-controlled
					return c.changed, c.failed
				}
				const several = 3
				if controls.Add(1) == several {
					close(controlled)
				}
				return c.control, c.gone
			})
			if err != nil || got != c.want {
				t.Errorf("got %v and %v, want %v", got, err, c.want)
			}
			if controls.Load() < 3 {
				t.Errorf("the control ran %d times, want it over and over", controls.Load())
			}
		})
	}
}

// One control that fails is enough to doubt all of it.
func TestConfirmWithOneControlThatFails(t *testing.T) {
	silent := verdictOf{Cases: []report.Case{{ID: "a", Verdict: suite.Failed, Blamed: []string{"GEN-08"}}}, Ended: 2}
	for first, want := range map[suite.Verdict]bool{suite.Passed: true, suite.Errored: false} {
		controlled := make(chan struct{})
		controls := 0
		got, ended, err := confirm(t.Context(), "a", 7, func(_ context.Context, change int) (verdictOf, error) {
			if change == 7 {
				<-controlled
				return silent, nil
			}
			said := suite.Passed
			if controls++; controls == 1 {
				said = first
			} else if controls == 2 {
				close(controlled)
			}
			return verdictOf{Cases: []report.Case{{ID: "a", Verdict: said}}}, nil
		})
		if err != nil || got != want || !ended {
			t.Errorf("a first control that ends as %s: got %v, %v and %v, want %v", first, got, ended, err, want)
		}
	}
}
