// SPDX-License-Identifier: Apache-2.0

package service

import (
	"strings"

	"google.golang.org/grpc/status"
)

// messageLimit is the number of bytes of a message that are answered. A status goes
// into a header, and many clients refuse answers whose header has more than 8 KiB; in a
// text that is not ASCII, each byte takes three there.
const messageLimit = 2 << 10

// shortened returns as much of a text as limit bytes have room for: a text that quotes
// a caller's value can be as long as that value.
func shortened(text string, limit int) string {
	const mark = "... (shortened)"
	if len(text) <= limit {
		return text
	}
	// A character that was cut in two goes.
	return strings.ToValidUTF8(text[:limit-len(mark)], "") + mark
}

// shortStatus returns the status that a call is refused with, its message shortened.
func shortStatus(err error) error {
	refused, ok := status.FromError(err)
	if !ok {
		refused = status.FromContextError(err) // as gRPC does with what is no status
	}
	answer := refused.Proto()
	answer.Message = shortened(answer.GetMessage(), messageLimit)
	return status.ErrorProto(answer)
}
