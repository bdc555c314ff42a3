// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ExpectOK fails the case by the clause if a call failed. why states what the clause demands.
func ExpectOK(clause string, err error, why string) {
	suite.Must(clause, err == nil, "%s\ngot: %s", why, describe.Status(err))
}

// ExpectRefused fails the case unless a call failed with one of the codes: by the clause for another code or none, by GEN-15
// without a message that a human can read (a warning with UNIMPLEMENTED), by GEN-16 with details. Without codes, any
// canonical code is accepted; UNKNOWN, the code of a handler's plain error, is a warning (GEN-09). why states what the
// clause demands.
func ExpectRefused(ctx context.Context, clause string, err error, why string, with ...codes.Code) {
	if clauses, problem := Refusal(clause, err, why, with...); len(clauses) > 0 {
		suite.FailAbout(clauses, "%s", problem)
	}
	if code := status.Code(err); code == codes.Unimplemented && status.Convert(err).Message() == "" {
		suite.Warn(ctx, "GEN-15", "%s\ngot: %s\nThe status has no message that a human can read; the code says it all", why, describe.Status(err))
	}
	if len(with) == 0 && status.Code(err) == codes.Unknown {
		suite.Warn(ctx, "GEN-09", "%s\ngot: %s\nUNKNOWN tells a CO nothing: gRPC returns it for an error of the handler that has no status", why, describe.Status(err))
	}
}

// Refusal describes the problem of a call that was to fail with one of the codes, or with any code if none is given, and
// returns the clauses that it contradicts. It returns no clauses if there is no problem.
func Refusal(clause string, err error, why string, with ...codes.Code) (clauses []string, problem string) {
	if err == nil {
		return []string{clause}, why + "\ngot: OK"
	}
	var problems []string
	found := func(clause, problem string) { clauses, problems = append(clauses, clause), append(problems, problem) }
	refused := status.Convert(err)
	switch code := refused.Code(); {
	case len(with) > 0 && !slices.Contains(with, code):
		found(clause, fmt.Sprintf("the code is %s, not %s", model.CodeName(code), names(with)))
	case code > codes.Unauthenticated:
		found("GEN-09", fmt.Sprintf("%d is not one of the canonical codes", code))
	}
	if refused.Message() == "" && refused.Code() != codes.Unimplemented {
		found("GEN-15", "the status has no message that a human can read")
	}
	if details := len(refused.Details()); details > 0 {
		found("GEN-16", fmt.Sprintf("status.details has %d entries and must be empty", details))
	}
	if len(clauses) == 0 {
		return nil, ""
	}
	return clauses, fmt.Sprintf("%s\ngot: %s\n%s", why, describe.Status(err), describe.Lines(problems))
}

// ExpectOKOrRefused is like ExpectRefused, for a call that may be answered OK as well.
func ExpectOKOrRefused(ctx context.Context, clause string, err error, why string, with ...codes.Code) {
	if err != nil {
		ExpectRefused(ctx, clause, err, why, with...)
	}
}

// ExpectMistakeRefused is like ExpectRefused, for a request that a CO must not make: a driver that ignores the mistake,
// and so hides it, gets a warning.
func ExpectMistakeRefused(ctx context.Context, clause string, err error, why string, with ...codes.Code) {
	if err == nil {
		suite.Warn(ctx, clause, "%s\ngot: OK, which hides the mistake", why)
		return
	}
	ExpectRefused(ctx, clause, err, why, with...)
}

// ExpectInvalidRefused is like ExpectRefused, for a request that is invalid in itself, such as a request for a negative
// size. A driver that ignores the mistake and a driver that refuses it with another code contradict the same row, and both
// get a warning by the clause. A status without a message, or with details, is wrong for every request.
func ExpectInvalidRefused(ctx context.Context, clause string, err error, why string, with ...codes.Code) {
	switch {
	case err == nil:
		suite.Warn(ctx, clause, "%s\ngot: OK, which hides the mistake", why)
		return
	case !slices.Contains(with, status.Code(err)):
		suite.Warn(ctx, clause, "%s\ngot: %s", why, describe.Status(err))
	}
	if clauses, problem := Refusal(clause, err, why); len(clauses) > 0 {
		suite.FailAbout(clauses, "%s", problem)
	}
}

func names(wanted []codes.Code) string {
	texts := make([]string, 0, len(wanted))
	for _, code := range wanted {
		texts = append(texts, model.CodeName(code))
	}
	return strings.Join(texts, " or ")
}

// NeedOK returns the answer of a call that a case depends on and does not judge. A failure ends the case as an error,
// or as skipped if it means that there is no room or quota.
//
//	volume := harness.NeedOK(under.Controller.CreateVolume(ctx, request)).GetVolume()
func NeedOK[Response any](response Response, err error) Response {
	if status.Code(err) == codes.ResourceExhausted {
		suite.Skip(suite.ByEnvironment, "there is no room or quota for what the case needs: %s", describe.Status(err))
	}
	if err != nil {
		suite.CouldNotTell("a call that the case needs failed: %s", describe.Status(err))
	}
	return response
}
