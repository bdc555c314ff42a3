package harness

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
)

func TestBeAllowedBy(t *testing.T) {
	z2, z3 := model.Segment{"zone": "Z2"}, model.Segment{"zone": "Z3"}
	asked := model.Request{X: 1, Bytes: 5, Requisite: model.Set{z2, z3}, Preferred: model.Set{z3}}
	answers := model.AnswersTo(asked, model.World{{Segment: z2, Room: 5}, {Segment: z3, Room: 4}})
	for _, c := range []struct {
		name    string
		given   model.Answer
		matches bool
		warns   bool
	}{
		{"allowed", model.Answer{Segments: model.Set{z2}}, true, false},
		{"discouraged", model.Answer{Code: codes.ResourceExhausted, Message: "full"}, true, true},
		{"forbidden", model.Answer{Segments: model.Set{z3}}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var warning string
			matcher := &allowed{answers: answers, warn: func(format string, args ...any) { warning = fmt.Sprintf(format, args...) }}
			matches, err := matcher.Match(Answer{Answer: c.given})
			if err != nil || matches != c.matches || (warning != "") != c.warns {
				t.Errorf("Match = %v, %v, warning %q, want %v, a warning: %v", matches, err, warning, c.matches, c.warns)
			}
		})
	}
	elsewhere := Answer{Answer: model.Answer{Segments: model.Set{{"zone": "Z9"}}}}
	const hint = "if there are nodes in zone=Z9, name the endpoint of one, or the segment in the profile"
	if got := (&allowed{answers: answers}).FailureMessage(elsewhere); !strings.HasSuffix(got, hint) {
		t.Errorf("got %s\nwant at its end: %s", got, hint)
	}
	const want = `CreateVolume was asked for x = 1, 5 bytes
requisite:
    zone=Z2
    zone=Z3
preferred:
    zone=Z3
room in each segment:
    zone=Z2: 5 bytes
    zone=Z3: 4 bytes
allowed:
    OK, accessible from {zone=Z2}
        as far as no preferred topology is possible, another one of requisite is chosen (PF-05)
    RESOURCE_EXHAUSTED (with a warning)
        falling back from preferred is a MAY, and users will regret a driver that does not (PF-05)
got: OK, accessible from {zone=Z3}
which is forbidden: zone=Z3 has no room for the volume; no requisite topology is possible: CreateVolume fails (PF-07)`
	if got := BeAllowedBy(answers).FailureMessage(Answer{Answer: model.Answer{Segments: model.Set{z3}}}); got != want {
		t.Errorf("the failure message is\n%s\nwant\n%s", got, want)
	}
}

func TestLeaveNothingBehind(t *testing.T) {
	refused := model.Answer{Code: codes.ResourceExhausted, Message: "full"}
	for _, c := range []struct {
		name  string
		given Answer
		want  string
	}{
		{"a refusal as it should be", Answer{Answer: refused}, ""},
		{"no refusal", Answer{}, "it is no failure (CVE-01)"},
		{"no message", Answer{Answer: model.Answer{Code: codes.ResourceExhausted}}, "(GEN-15)"},
		{"details", Answer{Answer: refused, Details: 1}, "has 1 entries and must be empty (GEN-16)"},
		{"something left", Answer{Answer: refused, Left: []string{"volume a is listed, and was not"}}, "volume a is listed, and was not (CV-07)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			matches, err := LeaveNothingBehind().Match(c.given)
			if err != nil || matches != (c.want == "") {
				t.Errorf("Match = %v, %v", matches, err)
			}
			if message := LeaveNothingBehind().FailureMessage(c.given); !strings.Contains(message, c.want) {
				t.Errorf("the failure message is %q, want it to contain %q", message, c.want)
			}
		})
	}
}
