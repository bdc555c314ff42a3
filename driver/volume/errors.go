// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"errors"
	"fmt"
)

// What a volume may answer; the services turn each into one gRPC code. They are
// always wrapped in a sentence that says what was found and what would help.
var (
	// ErrNotFound is returned for a volume or snapshot that has nothing on disk: NOT_FOUND.
	ErrNotFound = errors.New("not found on disk")
	// ErrInvalid is returned for an argument that no volume of this kind allows: INVALID_ARGUMENT.
	ErrInvalid = errors.New("invalid argument")
	// ErrIncompatible is returned where the path already holds the volume, or something else,
	// in another way than asked: ALREADY_EXISTS.
	ErrIncompatible = errors.New("already there, but incompatible")
	// ErrRefused is returned if the present state of the volume does not allow the request:
	// FAILED_PRECONDITION.
	ErrRefused = errors.New("refused in the present state")
	// ErrReplaced is an ErrRefused that is returned where something else, such as a
	// symbolic link, is in the place of what the driver made: NOT_FOUND, as what is
	// looked for is not there.
	ErrReplaced = fmt.Errorf("%w, as something else is in its place", ErrRefused)
)
