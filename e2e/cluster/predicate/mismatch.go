// SPDX-License-Identifier: Apache-2.0

// Package predicate judges objects that were already read. Every predicate is a pure function that returns nil if the
// objects satisfy it, and otherwise a complete error; it uses no cluster, no clock and no test framework.
package predicate

import (
	"errors"
	"fmt"
)

// Mismatch is an observation that differs from the wanted one. Every other error of this package means that there was
// nothing to judge yet.
type Mismatch struct {
	// Subject names the observed thing.
	Subject string
	// Wanted and Found are compared in the message.
	Wanted, Found string
	// Final says that waiting will not change it.
	Final bool
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("%s:\n  wanted %s\n  found  %s", m.Subject, m.Wanted, m.Found)
}

// IsMismatch reports whether the error is an observed contradiction, rather than an observation that is still missing.
func IsMismatch(err error) bool {
	var mismatch *Mismatch
	return errors.As(err, &mismatch)
}

// IsFinal reports whether the error is a contradiction that will not go away.
func IsFinal(err error) bool {
	var mismatch *Mismatch
	return errors.As(err, &mismatch) && mismatch.Final
}

// Unsaid is an error for text that is missing: an event, or the message of a condition, does not have the expected words.
// Kubernetes changes these words between releases, so this counts against neither driver nor platform.
type Unsaid struct {
	// Wanted is the expected text, and Found the text that is there instead.
	Wanted, Found string
}

func (u *Unsaid) Error() string {
	return fmt.Sprintf("%s, in words that csi-topo knows; found: %s", u.Wanted, u.Found)
}

// IsUnsaid reports whether the error is only about missing text.
func IsUnsaid(err error) bool {
	var unsaid *Unsaid
	return errors.As(err, &unsaid)
}

// Undecided returns an error with the text of a mismatch that is not a verdict.
func Undecided(err error) error {
	if !IsMismatch(err) {
		return err
	}
	return errors.New(err.Error())
}

func mismatch(subject, wanted, found string) error {
	return &Mismatch{Subject: subject, Wanted: wanted, Found: found}
}

func finalMismatch(subject, wanted, found string) error {
	return &Mismatch{Subject: subject, Wanted: wanted, Found: found, Final: true}
}
