// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"what people write", "größer 体积 👍\n\tx", "größer 体积 👍\n\tx"},
		{"an escape sequence", "\x1b[2J\x1b]0;title\x07", `\u001b[2J\u001b]0;title\u0007`},
		{"the beginning of the line", "FAIL\rPASS", `FAIL\u000dPASS`},
		{"a control character of eight bits", "\u009b2J", `\u009b2J`},
		{"the direction of text", "\u202egnp.exe", `\u202egnp.exe`},
		{"a line separator", "a\u2028b", `a\u2028b`},
		{"a tag beyond 16 bits", "\U000e0041", `\udb40\udc41`},
		{"what is no UTF-8", "a\xffb", `a\ufffdb`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Printable(c.given); got != c.want {
				t.Errorf("want %q, got %q", c.want, got)
			}
			var out strings.Builder
			w := OnlyPrintable(&out)
			for _, one := range []byte(c.given) {
				if n, err := w.Write([]byte{one}); n != 1 || err != nil {
					t.Fatalf("Write = %d, %v", n, err)
				}
			}
			if out.String() != c.want {
				t.Errorf("byte by byte: want %q, got %q", c.want, out.String())
			}
		})
	}
}

// TestPrintableJSON checks that printable JSON has the same value.
func TestPrintableJSON(t *testing.T) {
	const value = "\x1b[31m\x7f\u009b\u2028\u202e\U000e0041"
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal([]byte(Printable(string(text))), &got); err != nil || got != value {
		t.Errorf("want %q, got %q, %v", value, got, err)
	}
}
