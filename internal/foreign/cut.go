// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"fmt"
	"strings"
)

// Cut is the text where it has no more than so many bytes. Else it is what it begins and what it ends with, about so many
// bytes together, and says between them how many are left out.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const part = 3 // of what is kept comes from the end
	end := most / part
	first, last := text[:most-end], text[len(text)-end:]
	// A character is not cut in two.
	first, last = strings.ToValidUTF8(first, ""), strings.ToValidUTF8(last, "")
	return fmt.Sprintf("%s… (%d of %d bytes are left out) …%s", first, len(text)-len(first)-len(last), len(text), last)
}
