// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"strings"
	"testing"
)

// profile is of a function with a branch, and of a function literal in its last block.
const profile = `mode: set
example.com/module/driver/a.go:3.20,5.12 2 1
example.com/module/driver/a.go:5.12,7.3 1 0
example.com/module/driver/a.go:8.2,14.3 3 1
example.com/module/driver/a.go:9.14,11.4 1 0
`

func TestReach(t *testing.T) {
	reach, err := ReadReach(strings.NewReader(profile), "example.com/module")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name         string
		file         string
		line, column int
		want         bool
	}{
		{"a statement of a block that was reached", "driver/a.go", 4, 2, true},
		{"the condition of a branch", "driver/a.go", 5, 5, true},
		{"what is in the branch", "driver/a.go", 6, 3, false},
		{"the block around a function literal", "driver/a.go", 8, 2, true},
		{"what is in the function literal", "driver/a.go", 10, 5, false},
		{"a statement of no block", "driver/a.go", 20, 1, false},
		{"another file", "driver/b.go", 4, 2, false},
	} {
		if got := reach.At(c.file, c.line, c.column); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestReachOfSomethingElse(t *testing.T) {
	if _, err := ReadReach(strings.NewReader("mode: set\nnot a block\n"), "m"); err == nil {
		t.Error("got no error")
	}
}
