// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"fmt"
	"strings"
)

// Tail keeps the last bytes written to it, at most Most. Writing to it never fails.
type Tail struct {
	Most int

	kept []byte
	lost int64 // number of earlier bytes
}

// Write keeps the bytes, and drops earlier ones if necessary.
func (t *Tail) Write(p []byte) (int, error) {
	written := len(p)
	if over := len(p) - t.Most; over > 0 {
		t.lost, p = t.lost+int64(over), p[over:]
	}
	if over := len(t.kept) + len(p) - t.Most; over > 0 {
		t.lost += int64(over)
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	t.kept = append(t.kept, p...)
	return written, nil
}

// String returns the kept text, as converted by Printable and without surrounding space, with the number of earlier
// bytes.
func (t *Tail) String() string {
	text := Printable(strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "")))
	if t.lost > 0 {
		return fmt.Sprintf("(%d bytes are left out) …%s", t.lost, text)
	}
	return text
}
