// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Test runs the cases that both the flags -run and -skip of `go test` and the options select, writes to the test's output
// unless the options set another, and reports each case to t as a subtest named by its id: a fail or an error fails it, a
// warning is logged, and a skip skips it. The cases' objects are removed within the last tenth of the remaining time of `go
// test -timeout`.
func Test(t *testing.T, o suite.Options, run func(ctx context.Context, o suite.Options, only func(id string) bool) (*report.ConformanceReport, error)) *report.ConformanceReport {
	t.Helper()
	ctx, stop := suite.OnSignals(t.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // the cases' objects are removed first
	defer stop()
	if deadline, limited := t.Deadline(); limited {
		const part = 10
		end, cancel := context.WithDeadline(ctx, deadline.Add(-time.Until(deadline)/part))
		defer cancel()
		ctx = end
	}
	if o.Out == nil {
		o.Out = t.Output()
	}
	result, err := run(ctx, o, chosenSubtests(t.Name()))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Cases {
		if c.DecidedBy != suite.ByFilter {
			t.Run(c.ID, func(t *testing.T) { tell(t, c) })
		}
	}
	if report.ExitCode(result) == report.ExitError && result.Summary.Error == 0 {
		t.Error("no case was exercised: the report says why each was skipped")
	}
	return result
}

func tell(t *testing.T, c report.Case) {
	t.Helper()
	switch c.Verdict {
	case suite.Failed, suite.Errored:
		t.Errorf("%s: %s\n%s", c.Verdict, c.Text, c.Message)
	case suite.Warned:
		t.Logf("%s: %s\n%s", c.Verdict, c.Text, c.Message)
	case suite.Skipped:
		t.Skipf("%s: %s", c.DecidedBy, c.Reason)
	case suite.Passed:
	}
}
