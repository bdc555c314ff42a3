// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
)

func TestACaseThatFailedIsTheExitStatus(t *testing.T) {
	busy := errors.New("removing the directory of the run: device or resource busy")
	of := func(pass, fail int) *report.ConformanceReport {
		return &report.ConformanceReport{Summary: report.Summary{Pass: pass, Fail: fail}}
	}
	for _, c := range []struct {
		name   string
		report *report.ConformanceReport
		err    error
		want   exitStatus // 0 for none, and an error for 2
		says   bool       // an error after the cases
	}{
		{"all passed", of(1, 0), nil, report.ExitPassed, false},
		{"one failed", of(1, 1), nil, report.ExitFailed, false},
		{"one failed, and the clean-up", of(1, 1), busy, report.ExitFailed, true},
		{"the clean-up failed", of(1, 0), busy, report.ExitPassed, true},
		{"there is no report", nil, busy, report.ExitPassed, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := expected{}.ended(io.Discard, c.report, c.err)
			var got exitStatus
			if errors.As(err, &got); got != c.want || errors.Is(err, busy) != c.says {
				t.Errorf("got %v, want status %d, and what failed afterwards %t", err, c.want, c.says)
			}
		})
	}
}
