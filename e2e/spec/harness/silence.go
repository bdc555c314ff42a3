// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// runs returns the case that makes these calls.
func runs(d *Driver) string {
	return cmp.Or(d.caseID, d.health.Running())
}

// noteSurvey makes the run as a whole fail, and not the case, if a call that surveys the driver was not answered. If the
// driver has stopped answering, the run reports that already.
func noteSurvey(ctx context.Context, d *Driver, method string, err error) {
	var none *attempt.NoAnswer
	if attempt.IsSurveying(ctx) && errors.As(err, &none) && none.Fails {
		none.Survey = true
		if d.health.StoppedSince() == "" {
			d.health.NoteSilentSurvey(path.Base(method), none.Text)
		}
	}
}

// noteSilence records the first error by which the driver fails the case, wherever it comes from.
func noteSilence(d *Driver, err error) {
	var none *attempt.NoAnswer
	if errors.As(err, &none) && none.Fails && !none.Survey {
		d.silent.CompareAndSwap(nil, none)
	}
}

// mustNotBeSilent fails the case if the driver died of one of its calls, or never answered it, even if the caller
// ignored that.
func mustNotBeSilent(d *Driver) {
	if none := d.silent.Load(); none != nil {
		none.End()
	}
}

// mustHaveAnswered fails the case like mustNotBeSilent, and warns of a connection that broke once.
func mustHaveAnswered(ctx context.Context, d *Driver) {
	mustNotBeSilent(d)
	if broken := d.broken.Load(); broken != nil {
		suite.Warn(ctx, "GEN-08", "%s\nIt answered when the call was repeated", broken)
	}
}

// touched reports whether the driver's process ended while the case ran, and not because of one of its own calls: later
// answers may follow from that.
func touched(d *Driver) bool {
	return d.health.Crashes() > d.crashes && d.silent.Load() == nil && d.broken.Load() == nil
}

// again reports whether the findings of the case may follow from a crash of the driver that the case did not cause, or from
// a list that it is not about.
func again(d *Driver, ended suite.Result) bool {
	said := ended.Verdict != suite.Passed && ended.Verdict != suite.Skipped
	return said && (touched(d) || d.unlisted.Load()) && d.health.StoppedSince() == ""
}

// noteCrash turns the findings of a case into an error if the end of the driver's process may explain them.
func noteCrash(end *suite.Mark) {
	*end = suite.Mark{Verdict: suite.Errored, Reason: suite.CouldNot, At: end.At, Message: "the driver's process ended while the case ran, and not because of one of its own calls: later answers say nothing about the driver\n" + end.Message}
}

// noteBreakage adds to the end of a case that the connection broke once: a restarted driver may have forgotten the case's
// earlier calls.
func noteBreakage(d *Driver, end *suite.Mark) {
	if broken := d.broken.Load(); broken != nil {
		end.Message += fmt.Sprintf("\nBefore that, %s (GEN-08). A driver that was started again may answer otherwise", broken)
	}
}
