package harness

import (
	"fmt"

	"github.com/onsi/gomega/types"
	"google.golang.org/grpc/codes"
)

// BeOK succeeds when the error of a call is none. why is the clause in words, with its id.
func BeOK(why string) types.GomegaMatcher {
	return beOK{why}
}

type beOK struct{ why string }

// Match looks whether there is an error.
func (m beOK) Match(actual any) (bool, error) {
	if _, ok := actual.(error); actual != nil && !ok {
		return false, fmt.Errorf("BeOK judges the error of a call, not a %T", actual)
	}
	return actual == nil, nil
}

// FailureMessage says what was wanted, and what came instead.
func (m beOK) FailureMessage(actual any) string {
	return fmt.Sprintf("%s\ngot: %s", m.why, describe(actual.(error)))
}

// NegatedFailureMessage says that the call was answered.
func (m beOK) NegatedFailureMessage(any) string {
	return m.why + ", and it was answered OK"
}

// BeOKOrRefused is BeOK for a call that may also be refused, as BeRefused has it, with one of the codes.
func BeOKOrRefused(why string, with ...codes.Code) types.GomegaMatcher {
	return okOrRefused{refused{why, with}}
}

type okOrRefused struct{ refused }

// Match looks for anything that is wrong with the refusal, if it is one.
func (m okOrRefused) Match(actual any) (bool, error) {
	if actual == nil {
		return true, nil
	}
	return m.refused.Match(actual)
}
