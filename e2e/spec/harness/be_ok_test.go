package harness

import (
	"errors"
	"strings"
	"testing"

	"github.com/onsi/gomega/types"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestBeOK(t *testing.T) {
	ok, either := BeOK("why (CP-05)"), BeOKOrRefused("why (CP-05)", codes.AlreadyExists)
	taken, full := status.Error(codes.AlreadyExists, "taken"), status.Error(codes.ResourceExhausted, "full")
	for _, c := range []struct {
		name    string
		given   error
		matcher types.GomegaMatcher
		want    bool
		says    string
	}{
		{"OK", nil, ok, true, ""},
		{"refused", taken, ok, false, "why (CP-05)\ngot: ALREADY_EXISTS: \"taken\""},
		{"no status", errors.New("broken"), ok, false, "got: UNKNOWN"},
		{"OK, or a code", nil, either, true, ""},
		{"that code", taken, either, true, ""},
		{"that code without a message", status.Error(codes.AlreadyExists, ""), either, false, "(GEN-15)"},
		{"another code", full, either, false, "its code is RESOURCE_EXHAUSTED, not ALREADY_EXISTS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.matcher.Match(c.given)
			if got != c.want || err != nil {
				t.Fatalf("Match = %v, %v, want %v", got, err, c.want)
			}
			if !got && !strings.Contains(c.matcher.FailureMessage(c.given), c.says) {
				t.Errorf("the message is %q, want it to say %q", c.matcher.FailureMessage(c.given), c.says)
			}
		})
	}
	if _, err := ok.Match("OK"); err == nil {
		t.Error("BeOK judges what is no error")
	}
}
