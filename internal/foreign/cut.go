// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"fmt"
	"strings"
)

// Cut is the text where it has no more than so many bytes, of which there are at least 128. Else it is what it begins and what
// it ends with, and says between them how many bytes are left out.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const (
		said = 64 // bytes, at most, to say so
		part = 3  // of what is kept comes from the end
	)
	kept := max(0, most-said)
	end := kept / part
	first, last := text[:kept-end], text[len(text)-end:]
	// A character is not cut in two.
	first, last = strings.ToValidUTF8(first, ""), strings.ToValidUTF8(last, "")
	return fmt.Sprintf("%s… (%d of %d bytes are left out) …%s", first, len(text)-len(first)-len(last), len(text), last)
}
