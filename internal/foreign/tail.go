// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"fmt"
	"strings"
)

// Tail keeps the last bytes that are written to it, Most of them. Writing to it never fails.
type Tail struct {
	Most int

	kept []byte
	lost int64 // bytes that came before
}

// Write keeps the bytes, and fewer of the earlier ones.
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

// String returns what was kept, as Printable has it, without space around it. It says how many bytes came before.
func (t *Tail) String() string {
	text := Printable(strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "")))
	if t.lost > 0 {
		return fmt.Sprintf("(%d bytes are left out) …%s", t.lost, text)
	}
	return text
}
