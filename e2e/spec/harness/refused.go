package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// BeRefused succeeds when a call's error is a status with one of the codes, with a message that a human can read (GEN-15)
// and without details (GEN-16). Without codes, any canonical one but OK and UNKNOWN will do, which is what a handler's
// plain error becomes (GEN-09). why is the clause in words, with its id.
func BeRefused(why string, with ...codes.Code) types.GomegaMatcher {
	return refused{why, with}
}

type refused struct {
	why  string
	with []codes.Code
}

// Match looks for anything that is wrong with the refusal.
func (m refused) Match(actual any) (bool, error) {
	err, ok := actual.(error)
	if actual != nil && !ok {
		return false, fmt.Errorf("BeRefused judges the error of a call, not a %T", actual)
	}
	return len(m.problems(err)) == 0, nil
}

func (m refused) problems(err error) []string {
	failed := status.Convert(err)
	if failed.Code() == codes.OK {
		return []string{"the call was not refused"}
	}
	var found []string
	switch {
	case len(m.with) == 0 && (failed.Code() == codes.Unknown || failed.Code() > codes.Unauthenticated):
		found = append(found, "its code is "+model.CodeName(failed.Code())+", and a status has one of the codes that the specification knows (GEN-09)")
	case len(m.with) > 0 && !slices.Contains(m.with, failed.Code()):
		found = append(found, "its code is "+model.CodeName(failed.Code())+", not "+names(m.with))
	}
	if failed.Message() == "" {
		found = append(found, "its status has no message that a human could read (GEN-15)")
	}
	if details := len(failed.Details()); details > 0 {
		found = append(found, fmt.Sprintf("its status.details has %d entries and must be empty (GEN-16)", details))
	}
	return found
}

// FailureMessage says what was wanted, and what came instead.
func (m refused) FailureMessage(actual any) string {
	err, _ := actual.(error)
	got := "OK"
	if err != nil {
		got = describe(err)
	}
	return fmt.Sprintf("%s\ngot: %s\nwhich is wrong:\n%s", m.why, got, list(m.problems(err)))
}

// NegatedFailureMessage says that the call was refused as it should be.
func (m refused) NegatedFailureMessage(any) string {
	return m.why + ", and so it was"
}

func names(wanted []codes.Code) string {
	texts := make([]string, 0, len(wanted))
	for _, code := range wanted {
		texts = append(texts, model.CodeName(code))
	}
	return strings.Join(texts, " or ")
}
