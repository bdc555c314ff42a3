package harness

import (
	"fmt"

	"github.com/onsi/gomega/types"
	"google.golang.org/grpc/codes"
)

// LeaveNothingBehind succeeds when an Answer is a failure with a message and without status details, after which the
// driver's volumes and the capacity of every segment are what they were before it.
func LeaveNothingBehind() types.GomegaMatcher {
	return nothingBehind{}
}

type nothingBehind struct{}

// Match looks for anything that a failed call should not have left.
func (nothingBehind) Match(actual any) (bool, error) {
	got, ok := actual.(Answer)
	if !ok {
		return false, fmt.Errorf("LeaveNothingBehind judges an Answer of CreateVolume, not a %T", actual)
	}
	return len(remains(got)) == 0, nil
}

// FailureMessage lists what is wrong with the failed call.
func (nothingBehind) FailureMessage(actual any) string {
	got := actual.(Answer)
	return fmt.Sprintf("CreateVolume answered %s\nwhich should be a failure that leaves nothing behind, but:\n%s", got, list(remains(got)))
}

// NegatedFailureMessage says that nothing was left.
func (nothingBehind) NegatedFailureMessage(actual any) string {
	return fmt.Sprintf("CreateVolume answered %s, and nothing is left behind", actual.(Answer))
}

func remains(got Answer) []string {
	if got.Code == codes.OK {
		return []string{"it is no failure (CVE-01)"}
	}
	var found []string
	if got.Message == "" {
		found = append(found, "its status has no message that a human could read (GEN-15)")
	}
	if got.Details > 0 {
		found = append(found, fmt.Sprintf("its status.details has %d entries and must be empty (GEN-16)", got.Details))
	}
	for _, left := range got.Left {
		found = append(found, left+" (CV-07)")
	}
	return found
}
