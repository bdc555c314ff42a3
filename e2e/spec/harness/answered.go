package harness

import (
	"fmt"

	"github.com/onsi/gomega/types"
)

// BeAnswered succeeds when a call has no error. why is the clause in words, with its id; arguments are formatted into it.
func BeAnswered(why string, arguments ...any) types.GomegaMatcher {
	return answered{fmt.Sprintf(why, arguments...)}
}

type answered struct{ why string }

// Match reports whether there is no error.
func (answered) Match(actual any) (bool, error) {
	if _, ok := actual.(error); actual != nil && !ok {
		return false, fmt.Errorf("BeAnswered judges the error of a call, not a %T", actual)
	}
	return actual == nil, nil
}

// FailureMessage says what was wanted, and how the call failed.
func (m answered) FailureMessage(actual any) string {
	return fmt.Sprintf("%s\ngot: %s", m.why, describe(actual.(error)))
}

// NegatedFailureMessage says that the call was answered.
func (m answered) NegatedFailureMessage(any) string {
	return m.why + ", and so it was"
}
