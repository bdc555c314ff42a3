// SPDX-License-Identifier: Apache-2.0

package general

import (
	"errors"
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestJudge(t *testing.T) {
	detailed, err := status.New(codes.InvalidArgument, "why").WithDetails(&csi.Volume{})
	if err != nil {
		t.Fatal(err)
	}
	type want struct {
		clauses    []string
		warns      bool
		cannotTell bool
	}
	const field, nested = "volume_capability", "volume_capability.access_mode"
	both := []string{"GEN-11", "CP-13"}
	for _, c := range []struct {
		name     string
		given    error
		complete codes.Code
		path     string
		want     want
	}{
		{"refused", status.Error(codes.InvalidArgument, "why"), codes.OK, field, want{}},
		{"refused, and so is the complete request", status.Error(codes.InvalidArgument, "why"), codes.InvalidArgument, field, want{cannotTell: true}},
		{"refused, and the complete request fails otherwise", status.Error(codes.InvalidArgument, "why"), codes.Internal, field, want{}},
		{"OK", nil, codes.OK, field, want{clauses: both}},
		{"OK without a field of a field", nil, codes.OK, nested, want{warns: true}},
		{"OK, and the complete request fails", nil, codes.NotFound, field, want{clauses: both}},
		{"another code", status.Error(codes.Internal, "why"), codes.OK, field, want{clauses: both}},
		{"another code without a field of a field", status.Error(codes.Internal, "why"), codes.OK, nested, want{warns: true}},
		{"another code than the complete request", status.Error(codes.Internal, "why"), codes.NotFound, field, want{clauses: both}},
		{"the code of the complete request", status.Error(codes.Unimplemented, "why"), codes.Unimplemented, field, want{cannotTell: true}},
		{"the code of the complete request, which the volume's state forbids", status.Error(codes.FailedPrecondition, "why"), codes.FailedPrecondition, field, want{clauses: both}},
		{"a plain error", errors.New("why"), codes.OK, field, want{clauses: both}},
		{"no message", status.Error(codes.InvalidArgument, ""), codes.OK, field, want{clauses: []string{"GEN-15"}}},
		{"details", detailed.Err(), codes.OK, field, want{clauses: []string{"GEN-16"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := findingsOf([]incomplete{{required(c.path, "CP-13"), "Request", c.given}}, c.complete)
			if !slices.Equal(got.clauses, c.want.clauses) || (len(got.warnings) > 0) != c.want.warns || (len(got.open) > 0) != c.want.cannotTell {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
