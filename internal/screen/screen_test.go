// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestScreen(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(*Screen)
		want string
	}{
		{"what is printed stays", func(s *Screen) { fmt.Fprintln(s, "done") }, "done\n"},
		{"a line replaces the one before", func(s *Screen) { s.Show("one"); s.Show("two") }, "one<two"},
		{"none leaves nothing", func(s *Screen) { s.Show("one"); s.Show("") }, "one<"},
		{"what is printed goes above", func(s *Screen) { s.Show("one"); fmt.Fprintln(s, "done") }, "one<done\none"},
		{"nothing is shown beside what goes on", func(s *Screen) {
			s.Show("one")
			fmt.Fprint(s, "half ")
			s.Show("two")
			fmt.Fprintln(s, "done")
		}, "one<half done\ntwo"},
		{"a long line is cut", func(s *Screen) { s.Show("one and two and three") }, "one and …"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			test.do(New(&out, func() int { return 10 }))
			if got := strings.ReplaceAll(out.String(), eraseLine, "<"); got != test.want {
				t.Errorf("want %q, got %q", test.want, got)
			}
		})
	}
}

type gone struct{}

var errGone = errors.New("nobody reads")

func (gone) Write([]byte) (int, error) { return 0, errGone }

func TestScreenThatNobodyReads(t *testing.T) {
	s := New(gone{}, func() int { return 10 })
	s.Show("one")
	if _, err := fmt.Fprintln(s, "done"); !errors.Is(err, errGone) {
		t.Errorf("want %v, got %v", errGone, err)
	}
}
