package general

import (
	"context"
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// requiredField is a field that a request cannot do without, as without names it, and the requirements on this one, if
// there are any besides those on all of them.
type requiredField struct {
	path    string
	clauses []string
}

func required(path string, clauses ...string) requiredField {
	return requiredField{path, clauses}
}

// asksFor expects a call to be refused when any one of the fields is missing from a request that is otherwise right.
// Nothing must have changed in the driver. The request itself is made last, and answered: a driver that refuses it too may
// never have looked for the field.
func asksFor[Request proto.Message, Response any](ctx context.Context, under *harness.Driver,
	rpc func(context.Context, Request, ...grpc.CallOption) (Response, error), complete Request, fields ...requiredField,
) {
	ginkgo.GinkgoHelper()
	asksForUnchanged(ctx, under, func() []string { return nil }, rpc, complete, fields...)
}

// asksForUnchanged is asksFor for a call that can change what the driver's volumes, snapshots and capacity do not show.
// changed says in sentences what the calls so far have changed of it.
func asksForUnchanged[Request proto.Message, Response any](ctx context.Context, under *harness.Driver, changed func() []string,
	rpc func(context.Context, Request, ...grpc.CallOption) (Response, error), complete Request, fields ...requiredField,
) {
	ginkgo.GinkgoHelper()
	call := string(complete.ProtoReflect().Descriptor().Name())
	var answers []incomplete
	changes := under.Changes(ctx, func() {
		for _, missing := range fields {
			_, err := rpc(ctx, without(complete, missing.path))
			answers = append(answers, incomplete{missing, call, err})
		}
	})
	changes = append(changes, changed()...)
	_, err := rpc(harness.Tolerant(ctx), complete)

	problems, broken := judge(answers, changes, status.Code(err))
	if len(problems) > 0 {
		verdict.Blame(verdict.Fail, broken...)
		ginkgo.Fail(strings.Join(problems, "\n"))
	}
	if !understood(status.Code(err)) {
		verdict.CouldNotTell("%s with all of its fields was to be answered, which shows that without one it is refused for that, and failed: %v",
			call, err)
	}
}

// understood reports whether a complete request with that answer was taken for what it is. One that the state of a volume
// forbids was: a file system, for instance, need not grow in use (NE-27).
func understood(answer codes.Code) bool {
	return answer == codes.OK || answer == codes.FailedPrecondition
}

// judge says what is wrong with the answers to incomplete calls and with what they have changed, and which requirements
// that contradicts. An error that the complete request has too says nothing of fields: the cases on the call judge it.
func judge(answers []incomplete, changes []string, complete codes.Code) (problems, broken []string) {
	for _, a := range answers {
		if a.problem() == "" || !understood(complete) && status.Code(a.err) == complete {
			continue
		}
		problems = append(problems, a.problem())
		broken = append(broken, a.broken()...)
	}
	if len(changes) > 0 {
		problems = append(problems,
			"a call without a field that is REQUIRED does nothing (GEN-11), and now\n    "+strings.Join(changes, "\n    "))
		broken = append(broken, "GEN-11")
	}
	return problems, broken
}

// incomplete is the answer to a call that lacks a field.
type incomplete struct {
	requiredField
	call string
	err  error
}

// problem says what is wrong with the answer; nothing where it is right.
func (i incomplete) problem() string {
	clauses := i.clauses
	if len(clauses) == 0 {
		clauses = []string{"GEN-05"}
	}
	why := fmt.Sprintf("%s is REQUIRED (%s): %s without it is INVALID_ARGUMENT (GEN-11)", i.path, strings.Join(clauses, ", "), i.call)
	refused := harness.BeRefused(why, codes.InvalidArgument)
	if right, _ := refused.Match(i.err); right {
		return ""
	}
	return refused.FailureMessage(i.err)
}

// broken are the requirements that the answer contradicts: those on the field, unless the refusal is for it.
func (i incomplete) broken() []string {
	var found []string
	failed := status.Convert(i.err)
	if failed.Code() != codes.InvalidArgument {
		found = append(append(found, i.clauses...), "GEN-05", "GEN-11")
	}
	if failed.Code() == codes.Unknown || failed.Code() > codes.Unauthenticated {
		found = append(found, "GEN-09")
	}
	if i.err != nil && failed.Message() == "" {
		found = append(found, "GEN-15")
	}
	if len(failed.Details()) > 0 {
		found = append(found, "GEN-16")
	}
	return found
}
