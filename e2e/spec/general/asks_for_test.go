package general

import (
	"errors"
	"slices"
	"strings"
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
	for _, c := range []struct {
		name     string
		answer   error
		changes  []string
		complete codes.Code
		want     string
		broken   []string
	}{
		{name: "refused", answer: status.Error(codes.InvalidArgument, "why")},
		{name: "refused, and so is the complete request", answer: status.Error(codes.InvalidArgument, "why"), complete: codes.InvalidArgument},
		{name: "OK", want: "volume_id is REQUIRED (CP-08): Request without it is INVALID_ARGUMENT (GEN-11)\ngot: OK", broken: []string{"CP-08", "GEN-05", "GEN-11"}},
		{
			name: "OK, and the complete request fails", complete: codes.NotFound,
			want: "got: OK", broken: []string{"CP-08", "GEN-05", "GEN-11"},
		},
		{name: "another code", answer: status.Error(codes.Internal, "why"), want: "its code is INTERNAL", broken: []string{"CP-08", "GEN-05", "GEN-11"}},
		{
			name: "another code than the complete request", answer: status.Error(codes.Internal, "why"), complete: codes.NotFound,
			want: "its code is INTERNAL", broken: []string{"CP-08", "GEN-05", "GEN-11"},
		},
		{name: "the code of the complete request", answer: status.Error(codes.Unimplemented, "why"), complete: codes.Unimplemented},
		{
			name: "the code of the complete request, which the volume's state forbids", answer: status.Error(codes.FailedPrecondition, "why"),
			complete: codes.FailedPrecondition, want: "its code is FAILED_PRECONDITION", broken: []string{"CP-08", "GEN-05", "GEN-11"},
		},
		{name: "a plain error", answer: errors.New("why"), want: "its code is UNKNOWN", broken: []string{"CP-08", "GEN-05", "GEN-11", "GEN-09"}},
		{name: "no message", answer: status.Error(codes.InvalidArgument, ""), want: "no message", broken: []string{"GEN-15"}},
		{name: "details", answer: detailed.Err(), want: "status.details has 1 entries", broken: []string{"GEN-16"}},
		{
			name: "refused, and done", answer: status.Error(codes.InvalidArgument, "why"), changes: []string{"volume 1 is gone"},
			want: "does nothing (GEN-11), and now\n    volume 1 is gone", broken: []string{"GEN-11"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			problems, broken := judge([]incomplete{{required("volume_id", "CP-08"), "Request", c.answer}}, c.changes, c.complete)
			if got := strings.Join(problems, "\n"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !slices.Equal(broken, c.broken) {
				t.Errorf("got %q broken, want %q", broken, c.broken)
			}
		})
	}
}
