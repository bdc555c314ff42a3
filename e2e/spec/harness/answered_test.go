package harness

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestBeAnswered(t *testing.T) {
	matcher := BeAnswered("a claimed call is implemented (%s)", "CAP-01")
	if matches, err := matcher.Match(nil); err != nil || !matches {
		t.Errorf("no error: Match = %v, %v", matches, err)
	}
	refusal := status.Error(codes.Unimplemented, "no")
	if matches, err := matcher.Match(refusal); err != nil || matches {
		t.Errorf("a refusal: Match = %v, %v", matches, err)
	}
	const want = "a claimed call is implemented (CAP-01)\ngot: UNIMPLEMENTED: \"no\""
	if got := matcher.FailureMessage(refusal); got != want {
		t.Errorf("the failure message is\n%s\nwant\n%s", got, want)
	}
	if _, err := matcher.Match("OK"); err == nil {
		t.Error("a text was taken for the error of a call")
	}
}
