// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"fmt"
	"strings"
)

// Cut returns the text if it has at most most bytes, which should be at least 128. Otherwise it returns the beginning and
// the end of the text, with the number of bytes left out in between.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const (
		said = 64 // maximum size of the note, in bytes
		part = 3  // of the kept text is from the end
	)
	kept := max(0, most-said)
	end := kept / part
	first, last := text[:kept-end], text[len(text)-end:]
	// Drop characters that were cut in two.
	first, last = strings.ToValidUTF8(first, ""), strings.ToValidUTF8(last, "")
	return fmt.Sprintf("%s… (%d of %d bytes are left out) …%s", first, len(text)-len(first)-len(last), len(text), last)
}
