package volume

import "errors"

// What a volume may answer besides ErrNotFound; the services turn each into one
// gRPC code. They are always wrapped in a sentence that says what was found and
// what would help.
var (
	// ErrInvalid is returned for an argument that no volume of this kind allows: INVALID_ARGUMENT.
	ErrInvalid = errors.New("invalid argument")
	// ErrIncompatible is returned where the path already holds the volume, or something else,
	// in another way than asked: ALREADY_EXISTS.
	ErrIncompatible = errors.New("already there, but incompatible")
	// ErrRefused is returned where the present state of the volume does not allow
	// what was asked: FAILED_PRECONDITION.
	ErrRefused = errors.New("refused in the present state")
)
