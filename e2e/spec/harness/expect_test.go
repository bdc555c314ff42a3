// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// judgement is the verdict on a body, with the clauses that it is about.
type judgement struct {
	verdict suite.Verdict
	clauses []string
}

func judged(t *testing.T, body func(ctx context.Context)) judgement {
	t.Helper()
	var o suite.Outcome
	o.Run(func() { body(suite.With(t.Context(), &o)) })
	said := o.Result(suite.Listed{}, nil)
	return judgement{said.Verdict, said.Blamed}
}

func wantJudged(t *testing.T, want judgement, body func(ctx context.Context)) {
	t.Helper()
	if got := judged(t, body); got.verdict != want.verdict || !slices.Equal(got.clauses, want.clauses) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

var (
	passes = judgement{verdict: suite.Passed}
	fails  = func(clauses ...string) judgement { return judgement{suite.Failed, clauses} }
	warns  = func(clauses ...string) judgement { return judgement{suite.Warned, clauses} }
)

func TestExpectRefused(t *testing.T) {
	detailed, err := status.New(codes.NotFound, "there is none").WithDetails(&emptypb.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		given error
		with  []codes.Code
		want  judgement
	}{
		{"the code wanted", status.Error(codes.NotFound, "there is none"), []codes.Code{codes.NotFound}, passes},
		{"one of two", status.Error(codes.NotFound, "there is none"), []codes.Code{codes.Aborted, codes.NotFound}, passes},
		{"any code", status.Error(codes.NotFound, "there is none"), nil, passes},
		{"no refusal", nil, nil, fails("CREATE-05")},
		{"another code", status.Error(codes.Internal, "a bug"), []codes.Code{codes.Aborted, codes.NotFound}, fails("CREATE-05")},
		{"another code, without a message", status.Error(codes.Internal, ""), []codes.Code{codes.NotFound}, fails("CREATE-05", "GEN-15")},
		{"a plain error of a handler", errors.New("a bug"), nil, warns("GEN-09")},
		{"a code that does not exist", status.Error(17, "a bug"), nil, fails("GEN-09")},
		{"no message", status.Error(codes.NotFound, ""), nil, fails("GEN-15")},
		{"no message, which UNIMPLEMENTED hardly needs", status.Error(codes.Unimplemented, ""), nil, warns("GEN-15")},
		{"details", detailed.Err(), nil, fails("GEN-16")},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantJudged(t, c.want, func(ctx context.Context) {
				harness.ExpectRefused(ctx, "CREATE-05", c.given, "a source that does not exist is NOT_FOUND", c.with...)
			})
		})
	}
}

func TestExpectOKOrRefused(t *testing.T) {
	taken, full := status.Error(codes.AlreadyExists, "taken"), status.Error(codes.ResourceExhausted, "full")
	for _, c := range []struct {
		name            string
		given           error
		ok, okOrAlready judgement
	}{
		{"OK", nil, passes, passes},
		{"the code", taken, fails("CP-05"), passes},
		{"another code", full, fails("CP-05"), fails("CP-05")},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantJudged(t, c.ok, func(context.Context) { harness.ExpectOK("CP-05", c.given, "a repeated call is OK") })
			wantJudged(t, c.okOrAlready, func(ctx context.Context) {
				harness.ExpectOKOrRefused(ctx, "CP-05", c.given, "a repeated call is OK", codes.AlreadyExists)
			})
		})
	}
}

func TestExpectAllowed(t *testing.T) {
	z2, z3 := model.Segment{"zone": "Z2"}, model.Segment{"zone": "Z3"}
	asked := model.Request{X: 1, Bytes: 5, Requisite: model.Set{z2, z3}, Preferred: model.Set{z3}}
	answers := model.AnswersTo(asked, model.World{}.With(z2, model.Exactly(5)).With(z3, model.Exactly(4)))
	for _, c := range []struct {
		name  string
		given model.Answer
		want  judgement
	}{
		{"allowed", model.Answer{Segments: model.Set{z2}}, passes},
		{"discouraged", model.Answer{Code: codes.ResourceExhausted, Message: "full"}, warns("PF-05")},
		{"forbidden", model.Answer{Segments: model.Set{z3}}, fails("PF-07")},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantJudged(t, c.want, func(ctx context.Context) { creation.ExpectAllowed(ctx, creation.Answer{Answer: c.given}, answers) })
		})
	}
}

func TestExpectNothingLeft(t *testing.T) {
	refused := model.Answer{Code: codes.ResourceExhausted, Message: "full"}
	for _, c := range []struct {
		name  string
		given creation.Answer
		want  judgement
	}{
		{"a refusal as it should be", creation.Answer{Answer: refused}, passes},
		{"no refusal", creation.Answer{}, fails("CREATE-01")},
		{"no message", creation.Answer{Answer: model.Answer{Code: codes.ResourceExhausted}}, fails("GEN-15")},
		{"details", creation.Answer{Answer: refused, Details: 1}, fails("GEN-16")},
		{"something left", creation.Answer{Answer: refused, Left: []string{"volume a is listed, and was not"}}, warns("CV-07")},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantJudged(t, c.want, func(ctx context.Context) { creation.ExpectNothingLeft(ctx, c.given) })
		})
	}
}
