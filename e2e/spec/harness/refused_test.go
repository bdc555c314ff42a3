package harness

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

func TestBeRefused(t *testing.T) {
	detailed, err := status.New(codes.NotFound, "there is none").WithDetails(&emptypb.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		given error
		with  []codes.Code
		want  string
	}{
		{"the code wanted", status.Error(codes.NotFound, "there is none"), []codes.Code{codes.NotFound}, ""},
		{"one of two", status.Error(codes.NotFound, "there is none"), []codes.Code{codes.Aborted, codes.NotFound}, ""},
		{"any code", status.Error(codes.NotFound, "there is none"), nil, ""},
		{"no refusal", nil, nil, "the call was not refused"},
		{"another code", status.Error(codes.Internal, "a bug"), []codes.Code{codes.Aborted, codes.NotFound}, "its code is INTERNAL, not ABORTED or NOT_FOUND"},
		{"a plain error of a handler", status.Error(codes.Unknown, "a bug"), nil, "its code is UNKNOWN"},
		{"a code that there is not", status.Error(17, "a bug"), nil, "(GEN-09)"},
		{"no message", status.Error(codes.NotFound, ""), nil, "(GEN-15)"},
		{"details", detailed.Err(), nil, "(GEN-16)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			matcher := BeRefused("it is refused", c.with...)
			matches, err := matcher.Match(c.given)
			if err != nil || matches != (c.want == "") {
				t.Errorf("Match = %v, %v", matches, err)
			}
			if message := matcher.FailureMessage(c.given); !strings.Contains(message, c.want) {
				t.Errorf("the failure message is %q, want it to contain %q", message, c.want)
			}
		})
	}
}
