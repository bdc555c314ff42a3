// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"fmt"
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		name, given string
		most        int
		want        string
	}{
		{"what is short enough", strings.Repeat("a", 128), 128, strings.Repeat("a", 128)},
		{"what is longer", strings.Repeat("a", 100) + strings.Repeat("z", 100), 128, strings.Repeat("a", 43) + "… (136 of 200 bytes are left out) …" + strings.Repeat("z", 21)},
		{"characters of several bytes", strings.Repeat("ä", 100), 128, strings.Repeat("ä", 21) + "… (138 of 200 bytes are left out) …" + strings.Repeat("ä", 10)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Cut(c.given, c.most)
			if got != c.want || len(got) > c.most {
				t.Errorf("want %q, got %q of %d bytes", c.want, got, len(got))
			}
		})
	}
}

func TestTail(t *testing.T) {
	for _, c := range []struct {
		name  string
		given []string
		want  string
	}{
		{"nothing", nil, ""},
		{"what is short enough", []string{" a\n", "b \n"}, "a\nb"},
		{"a little at a time", strings.Split("0123456789ab", ""), "(2 bytes are left out) …23456789ab"},
		{"much at once", []string{"xyz", strings.Repeat("-", 100) + "0123456789"}, "(103 bytes are left out) …0123456789"},
		{"control characters", []string{"\x1b[2J"}, `\u001b[2J`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tail := &Tail{Most: 10}
			for _, text := range c.given {
				fmt.Fprint(tail, text)
			}
			if got := tail.String(); got != c.want {
				t.Errorf("want %q, got %q", c.want, got)
			}
		})
	}
}
