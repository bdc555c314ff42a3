// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// requiredField is a field that a request must have, by its path in the form of the function without, and the clauses about
// this field, if any.
type requiredField struct {
	path    string
	clauses []string
}

func required(path string, clauses ...string) requiredField {
	return requiredField{path, clauses}
}

// ofCapability returns the REQUIRED fields of a capability, or of the first one of a list.
func ofCapability(path string, clauses ...string) []requiredField {
	return []requiredField{
		required(path+".access_type", clauses...),
		required(path+".access_mode", clauses...),
		required(path+".access_mode.mode", clauses...),
	}
}

// question is a complete call.
type question struct {
	request proto.Message
	send    func(ctx context.Context, request proto.Message) error
	// changed describes in sentences the changes by the calls so far that the driver's volumes, snapshots and capacity do
	// not show; it may be nil.
	changed func() []string
	// undo reverts the effect of the call, so that it does not affect the next one; it may be nil.
	undo func(ctx context.Context)
}

// undoneBy returns the question with the call that undoes an incomplete call that was answered OK. Other cases judge the
// answer of that call, and the clean-up removes its leftovers.
func undoneBy[Request, Response any](q question, rpc func(context.Context, Request, ...grpc.CallOption) (Response, error), request Request) question {
	q.undo = func(ctx context.Context) { _, _ = rpc(attempt.Tolerant(ctx), request) }
	return q
}

func asking[Request proto.Message, Response any](rpc func(context.Context, Request, ...grpc.CallOption) (Response, error), request Request) question {
	return question{request: request, send: func(ctx context.Context, request proto.Message) error {
		_, err := rpc(ctx, request.(Request))
		return err
	}}
}

// expectRejectedWithout makes the call without each of the fields. Each must be refused and change nothing; changes are only
// checked if all calls are refused, because a call that was answered OK may have caused them. Then it makes the complete
// call: a driver that refuses it in the same way may never have looked for the field. If it is OK, the refused calls are
// made once more: a driver may now answer them from its state. It may also refuse them because of its state, with another
// code.
func (q question) expectRejectedWithout(ctx context.Context, driver *harness.Driver, fields []requiredField) {
	call := string(q.request.ProtoReflect().Descriptor().Name())
	var answers []incomplete
	changes := driver.Held.Changes(ctx, func() {
		for _, missing := range fields {
			err := q.send(ctx, without(q.request, missing.path))
			answers = append(answers, incomplete{missing, call, err})
			if err == nil && q.undo != nil {
				q.undo(ctx)
			}
		}
	})
	if q.changed != nil {
		changes = append(changes, q.changed()...)
	}
	complete := q.send(ctx, q.request)
	for _, before := range answers {
		if _, problem := before.problem(); problem != "" || complete != nil {
			continue
		}
		if err := q.send(ctx, without(q.request, before.path)); err == nil {
			answers = append(answers, incomplete{before.requiredField, call + " again, after it was answered OK, but", nil})
		}
	}
	found := findingsOf(answers, status.Code(complete))

	suite.Should(ctx, "GEN-11", len(changes) == 0 || slices.ContainsFunc(answers, incomplete.accepted), "%s without a REQUIRED field is refused, and yet it has changed something:\n    %s", call, strings.Join(changes, "\n    "))
	for _, warning := range found.warnings {
		suite.Warn(ctx, "GEN-11", "%s", warning)
	}
	if len(found.problems) > 0 {
		suite.FailAbout(found.clauses, "%s", strings.Join(found.problems, "\n"))
	}
	if len(found.open) > 0 {
		suite.CouldNotTell("%s with all of its fields is refused in the same way as without %s: whether the driver checks for that is unknown",
			call, strings.Join(found.open, " or "))
	}
}

// findings describes the faults in the answers to incomplete calls.
type findings struct {
	problems, clauses []string
	warnings          []string
	// open lists the fields for which the answers prove nothing.
	open []string
}

// findingsOf describes the faults in the answers, given the answer to the complete request.
func findingsOf(answers []incomplete, complete codes.Code) findings {
	var found findings
	for _, a := range answers {
		clauses, problem := a.problem()
		switch {
		case complete != codes.OK && complete == status.Code(a.err) && !isAboutTheState(complete):
			found.open = append(found.open, a.path)
		case problem == "":
		case a.isNested() && (a.err == nil || a.isOtherCode()):
			found.warnings = append(found.warnings, problem)
		default:
			found.problems, found.clauses = append(found.problems, problem), append(found.clauses, clauses...)
		}
	}
	return found
}

// isAboutTheState reports whether a complete request with that answer was understood, and refused because of the state of
// the volume: a file system, for instance, need not grow in use (NE-27).
func isAboutTheState(answer codes.Code) bool {
	return answer == codes.FailedPrecondition
}

// incomplete is the answer to a call that lacks a field.
type incomplete struct {
	requiredField
	call string
	err  error
}

// problem describes the fault of the answer, and returns the clauses that it contradicts; none if the answer is right.
func (i incomplete) problem() (clauses []string, problem string) {
	why := fmt.Sprintf("%s without %s, which is REQUIRED, is INVALID_ARGUMENT", i.call, i.path)
	clauses, problem = harness.Refusal("GEN-11", i.err, why, codes.InvalidArgument)
	if status.Code(i.err) != codes.InvalidArgument {
		clauses = append(clauses, i.clauses...)
	}
	return clauses, problem
}

// isOtherCode reports whether only the code of the refusal is wrong.
func (i incomplete) isOtherCode() bool {
	clauses, _ := harness.Refusal("GEN-11", i.err, "")
	return i.err != nil && len(clauses) == 0
}

func (i incomplete) accepted() bool { return i.err == nil }

// isNested reports whether the field belongs to a message in the request. A driver that does not look for it hides a mistake
// of the CO, and does what was requested; one that refuses the call with another code is not worse.
func (i incomplete) isNested() bool {
	return strings.Contains(i.path, ".")
}
