// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"errors"
	"fmt"
)

// The errors of this package's interfaces; the services convert each to one gRPC code. They are always wrapped in a text
// with the cause and a remedy.
var (
	// ErrNotFound is returned for a volume or snapshot that has nothing on disk: NOT_FOUND.
	ErrNotFound = errors.New("not found on disk")
	// ErrInvalid is returned for an argument that no volume of this kind allows: INVALID_ARGUMENT.
	ErrInvalid = errors.New("invalid argument")
	// ErrIncompatible is returned if the path already holds the volume in another way than requested, or holds something
	// else: ALREADY_EXISTS.
	ErrIncompatible = errors.New("already there, but incompatible")
	// ErrRefused is returned if the present state of the volume does not allow the request:
	// FAILED_PRECONDITION.
	ErrRefused = errors.New("refused in the present state")
	// ErrReplaced is an ErrRefused that is returned if something else, such as a symbolic link, has replaced a file or
	// directory of the driver: NOT_FOUND, as the original is not there.
	ErrReplaced = fmt.Errorf("%w, as something else is in its place", ErrRefused)
)
