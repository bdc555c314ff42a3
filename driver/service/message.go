// SPDX-License-Identifier: Apache-2.0

package service

import (
	"strings"

	"google.golang.org/grpc/status"
)

// messageLimit is the maximum size of the message of a status in bytes. A status is sent in a header, and many clients
// refuse headers of more than 8 KiB; each byte of non-ASCII text takes three bytes there.
const messageLimit = 2 << 10

// shortened cuts a text to limit bytes: a text that quotes a caller's value can be as long as that value.
func shortened(text string, limit int) string {
	const mark = "... (shortened)"
	if len(text) <= limit {
		return text
	}
	// Drop a character that was cut in two.
	return strings.ToValidUTF8(text[:limit-len(mark)], "") + mark
}

// shortStatus returns the status of an error with its message shortened.
func shortStatus(err error) error {
	refused, ok := status.FromError(err)
	if !ok {
		refused = status.FromContextError(err) // as gRPC does for an error without a status
	}
	answer := refused.Proto()
	answer.Message = shortened(answer.GetMessage(), messageLimit)
	return status.ErrorProto(answer)
}
