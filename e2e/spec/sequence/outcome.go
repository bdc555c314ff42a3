// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// outcome is a step that was carried out.
type outcome struct {
	asked, answered string
	// state describes the relevant state before the step, and allowed the allowed answers.
	state, allowed string
	// broken holds the clauses that the answer contradicts, and regretted the clauses that it only goes against.
	broken, regretted []model.Reason
	// waived holds the clauses among them that the vendor waives.
	waived []model.Reason
	// lost reports that there was no answer.
	lost bool
}

// outcomeOf begins the outcome of a call with the faults of its status.
func outcomeOf(asked string, err error) outcome {
	o := outcome{asked: asked, answered: "OK"}
	if err == nil {
		return o
	}
	failed := status.Convert(err)
	o.answered = model.Answer{Code: failed.Code(), Message: failed.Message()}.String()
	unanswered, _ := attempt.WhyUnanswered(err)
	o.lost = unanswered != "" || failed.Code() == codes.Unavailable || failed.Code() == codes.Canceled
	switch {
	case failed.Message() != "":
	case failed.Code() == codes.Unimplemented:
		o.regret("GEN-15", "a status that is not OK has a message that a human can read")
	default:
		o.wrong("GEN-15", "a status that is not OK has a message that a human can read")
	}
	if len(failed.Details()) > 0 {
		o.wrong("GEN-16", "status.details is empty")
	}
	return o
}

// wrong records a clause that an answer contradicts.
func (o *outcome) wrong(clause, text string, args ...any) {
	o.broken = append(o.broken, model.Reason{Clause: clause, Text: fmt.Sprintf(text, args...)})
}

// regret records that users will regret an answer though no MUST forbids it.
func (o *outcome) regret(clause, text string, args ...any) {
	o.regretted = append(o.regretted, model.Reason{Clause: clause, Text: fmt.Sprintf(text, args...)})
}

// ok judges a call that has to succeed, or to fail with one of the codes.
func (o *outcome) ok(err error, clause, why string, or ...codes.Code) {
	o.allow(clause, why, append([]codes.Code{codes.OK}, or...))
	if code := status.Code(err); code != codes.OK && !slices.Contains(or, code) {
		o.wrong(clause, "%s", why)
	}
}

// betterOK judges a call that no MUST requires to succeed, though users will regret it if it fails with any code but
// these.
func (o *outcome) betterOK(err error, clause, why string, or ...codes.Code) {
	o.allow(clause, why, append([]codes.Code{codes.OK}, or...))
	if code := status.Code(err); code != codes.OK && !slices.Contains(or, code) {
		o.regret(clause, "%s", why)
	}
}

// refused judges a call that has to fail with one of the codes; without codes, any code is right.
func (o *outcome) refused(err error, clause, why string, with ...codes.Code) {
	o.allow(clause, why, with)
	code := status.Code(err)
	if code == codes.OK || len(with) > 0 && !slices.Contains(with, code) {
		o.wrong(clause, "%s", why)
	}
}

// betterRefused is like refused, for a call that no MUST requires to fail, though users will regret it if it
// succeeds.
func (o *outcome) betterRefused(err error, clause, why string, with ...codes.Code) {
	if err != nil {
		o.refused(err, clause, why, with...)
		return
	}
	o.allow(clause, why, with)
	o.regret(clause, "%s", why)
}

// open records a call about which the specification says nothing.
func (o *outcome) open() { o.allowed = "    any answer" }

func (o *outcome) allow(clause, why string, with []codes.Code) {
	var names []string
	for _, code := range with {
		names = append(names, model.CodeName(code))
	}
	if len(names) == 0 {
		names = []string{"any failure"}
	}
	o.allowed = "    " + strings.Join(names, " or ") + "\n        " + model.Reason{Clause: clause, Text: why}.String()
}

// waive sets aside the faults of the answer by waived clauses.
func (o *outcome) waive(waived map[string]bool) {
	is := func(reason model.Reason) bool {
		if waived[reason.Clause] {
			o.waived = append(o.waived, reason)
		}
		return waived[reason.Clause]
	}
	o.broken, o.regretted = slices.DeleteFunc(o.broken, is), slices.DeleteFunc(o.regretted, is)
}

// merged makes one outcome of the outcomes of concurrent requests, or of one request and its repetitions.
func merged(title string, all []outcome) outcome {
	var o outcome
	texts := []string{title}
	for _, one := range all {
		if len(one.broken) > 0 {
			o.state, o.allowed = one.state, one.allowed
		}
		texts = append(texts, "- "+strings.ReplaceAll(one.asked, "\n", "\n  ")+"\n  answered: "+one.answered)
		o.broken, o.regretted = append(o.broken, one.broken...), append(o.regretted, one.regretted...)
		o.waived = append(o.waived, one.waived...)
		o.lost = o.lost || one.lost
	}
	o.asked = strings.Join(texts, "\n")
	if o.allowed == "" {
		o.allowed = "    what is allowed to one request after the other"
	}
	o.answered = "as above"
	return o
}

// String describes the step with everything that its answer was judged by.
func (o outcome) String() string {
	text := o.asked
	if o.state != "" {
		text += "\n" + strings.TrimPrefix(o.state, "\n")
	}
	text += "\nallowed:\n" + o.allowed + "\nanswered: " + o.answered
	for _, reason := range o.broken {
		if suite.Lookup(requirement.Lookup).Binds(reason.Clause) {
			text += "\nwhich is forbidden: " + reason.String()
		} else {
			text += "\nwhich users will regret: " + reason.String()
		}
	}
	for _, reason := range o.regretted {
		text += "\nwhich users will regret: " + reason.String()
	}
	for _, reason := range o.waived {
		text += "\nwhich the profile waives: " + reason.String()
	}
	return withoutPlace(text)
}

func clausesOf(reasons []model.Reason) []string {
	var clauses []string
	for _, reason := range reasons {
		clauses = append(clauses, reason.Clause)
	}
	return clauses
}
