// SPDX-License-Identifier: Apache-2.0

package attempt

import (
	"cmp"
	"errors"
	"fmt"
	"path"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// NoAnswer is the error of a call without an answer to judge.
type NoAnswer struct {
	Last  error // the status that ended the last attempt
	Fails bool  // the driver has failed the case: it died or never answered
	// Clause is the requirement that this contradicts, GEN-08 if it is empty.
	Clause string
	// Pending reports that every attempt was answered, with codes for which a call is repeated.
	Pending bool
	// Survey reports that the call read the state of the driver, so that its case does not fail.
	Survey bool
	// SkippedBy names who decided to leave the case out, because another case is about this or no CO makes the call to
	// this driver. It is empty if the case is not left out.
	SkippedBy suite.DecidedBy
	Text      string
}

// Error returns the text of that status.
func (n *NoAnswer) Error() string { return n.Last.Error() }

// GRPCStatus returns the status that ended the last attempt.
func (n *NoAnswer) GRPCStatus() *status.Status { return status.Convert(n.Last) }

// Unwrap returns that status as an error.
func (n *NoAnswer) Unwrap() error { return n.Last }

// Interrupted returns the error of a call that the context ended.
func Interrupted(method string, err error) error {
	return &NoAnswer{Last: err, Text: fmt.Sprintf("%s was interrupted: %v", path.Base(method), err)}
}

// MustBeAnswered ends the case if the error reports that a call has no answer to judge.
func MustBeAnswered(err error) {
	var none *NoAnswer
	if errors.As(err, &none) {
		none.End()
	}
}

// IsAnswer reports whether the error is an answer of the driver, including an answer for which the call is repeated.
func IsAnswer(err error) bool {
	var none *NoAnswer
	return !errors.As(err, &none) || none.Pending
}

// AsksAgain reports whether every attempt of the call was answered, with codes for which a call is repeated.
func AsksAgain(err error) bool {
	var none *NoAnswer
	return errors.As(err, &none) && none.Pending && status.Code(none) != codes.Unavailable
}

// End ends the case.
func (n *NoAnswer) End() {
	if n.Fails && !n.Survey {
		suite.Fail(cmp.Or(n.Clause, "GEN-08"), "%s", n.Text)
	}
	if n.SkippedBy != "" {
		suite.Skip(n.SkippedBy, "%s", n.Text)
	}
	suite.CouldNotTell("%s", n.Text)
}

// WhyUnanswered explains why a call has no answer to judge, and whether the driver fails because of it. The text is
// empty for an answer.
func WhyUnanswered(err error) (why string, fails bool) {
	var none *NoAnswer
	if !errors.As(err, &none) {
		return "", false
	}
	return none.Text, none.Fails
}
