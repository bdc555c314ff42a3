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

// runs is the case whose calls these are.
func runs(d *Driver) string {
	return cmp.Or(d.caseID, d.health.Running())
}

// noteSurvey has the run as a whole, and not the case, fail by a call that looked at what the driver holds. That the driver does
// not answer any more is said of the whole run anyway.
func noteSurvey(ctx context.Context, d *Driver, method string, err error) {
	var none *attempt.NoAnswer
	if attempt.IsSurveying(ctx) && errors.As(err, &none) && none.Fails {
		none.Survey = true
		if d.health.StoppedSince() == "" {
			d.health.NoteSilentSurvey(path.Base(method), none.Text)
		}
	}
}

// noteSilence keeps the first error by which the driver fails the case, wherever it comes from.
func noteSilence(d *Driver, err error) {
	var none *attempt.NoAnswer
	if errors.As(err, &none) && none.Fails && !none.Survey {
		d.silent.CompareAndSwap(nil, none)
	}
}

// mustNotBeSilent fails the case if the driver died of one of its calls, or never answered it, though the caller did not
// say so.
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

// touched reports whether the driver's process ended while the case ran, and not of a call of its own: what it answered from
// then on may follow from that.
func touched(d *Driver) bool {
	return d.health.Crashes() > d.crashes && d.silent.Load() == nil && d.broken.Load() == nil
}

// again reports whether what the case said may follow from the end of the driver's process, which was not its own doing, or from
// a list, which it is not about.
func again(d *Driver, ended suite.Result) bool {
	said := ended.Verdict != suite.Passed && ended.Verdict != suite.Skipped
	return said && (touched(d) || d.unlisted.Load()) && d.health.StoppedSince() == ""
}

// noteCrash makes what a case says an error that was touched by the end of the driver's process.
func noteCrash(end *suite.Mark) {
	*end = suite.Mark{Verdict: suite.Errored, Reason: suite.CouldNot, At: end.At, Message: "the driver's process ended while the case ran, and not of a call of its own: what it answered afterwards says nothing of the driver\n" + end.Message}
}

// noteBreakage adds to the end of a case that the connection broke once: a driver that was started again may have
// forgotten what the case did before.
func noteBreakage(d *Driver, end *suite.Mark) {
	if broken := d.broken.Load(); broken != nil {
		end.Message += fmt.Sprintf("\nBefore that, %s (GEN-08). A driver that was started again may answer otherwise", broken)
	}
}
