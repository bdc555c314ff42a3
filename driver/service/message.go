// SPDX-License-Identifier: Apache-2.0

package service

import "strings"

// messageLimit is how many bytes of a message are answered. A status goes into a
// header, and many clients refuse answers whose header has more than 8 KiB; of a
// text that is not ASCII each byte takes three there.
const messageLimit = 2 << 10

// shortened returns as much of a text as limit bytes have room for: one that names
// what a caller sent is as long as that.
func shortened(text string, limit int) string {
	const mark = "... (shortened)"
	if len(text) <= limit {
		return text
	}
	// A character that was cut in two goes.
	return strings.ToValidUTF8(text[:limit-len(mark)], "") + mark
}
