// SPDX-License-Identifier: Apache-2.0

// Package statuses interprets the status of a call: the state of the driver and of the connection to it.
package statuses

import (
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Transient reports whether the sidecars repeat the same request after it was refused with the code.
func Transient(code codes.Code) bool {
	switch code {
	case codes.Aborted, codes.DeadlineExceeded, codes.Unavailable:
		return true
	default:
		return false
	}
}

// MayPass reports whether a call that was refused with the code may be answered differently when it is repeated: the
// code is Transient, or RESOURCE_EXHAUSTED, which may mean a limit on rates as well as missing room.
func MayPass(code codes.Code) bool {
	return Transient(code) || code == codes.ResourceExhausted
}

// BrokenConnection reports whether gRPC itself reports that the connection broke, or that nothing is listening. A
// driver may answer UNAVAILABLE as well.
func BrokenConnection(err error) bool {
	failed := status.Convert(err)
	if failed.Code() != codes.Unavailable {
		return false
	}
	for _, said := range []string{"connection error", "connection refused", "error reading from server", "transport is closing", "connection is draining", "closing transport", "server preface", "keepalive ping failed"} {
		if strings.Contains(failed.Message(), said) {
			return true
		}
	}
	return false
}

// NeverConnected reports whether nothing was listening, so that the call reached no driver.
func NeverConnected(err error) bool {
	return strings.Contains(status.Convert(err).Message(), "Error while dialing")
}

// TooLarge reports whether gRPC itself reports that the answer is larger than the limit.
func TooLarge(err error) bool {
	failed := status.Convert(err)
	return failed.Code() == codes.ResourceExhausted && strings.Contains(failed.Message(), "received message larger than max")
}

// Untaken reports whether the error means that the driver has no such volumes, and not that this volume could not be
// made.
func Untaken(err error) bool {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.FailedPrecondition, codes.Unimplemented:
		return true
	default:
		return false
	}
}

// LeavesOpen reports whether a call that failed with the code may have had its effect.
func LeavesOpen(code codes.Code) bool {
	switch code {
	case codes.Canceled, codes.Unknown, codes.DeadlineExceeded, codes.Aborted, codes.Internal, codes.Unavailable, codes.DataLoss:
		return true
	default:
		return false
	}
}

// Unanswered reports whether a call failed without an answer of the driver.
func Unanswered(err error) bool {
	switch status.Code(err) {
	case codes.Canceled, codes.DeadlineExceeded, codes.Unavailable:
		return true
	default:
		return false
	}
}
