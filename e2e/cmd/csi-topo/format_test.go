// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		name, given string
		most        int
		want        string
	}{
		{name: "short enough", given: "volume at least this big", most: 24, want: "volume at least this big"},
		{name: "one too long", given: "volume at least this big", most: 23, want: "volume at least this..."},
		{name: "in the middle of a word", given: "volume at least this big", most: 15, want: "volume at..."},
		{name: "behind a comma", given: "requisite, preferred", most: 16, want: "requisite..."},
		{name: "counted in characters", given: "größer, größer", most: 14, want: "größer, größer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shorten(c.given, c.most); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, given string
		most        int
		want        string
	}{
		{name: "one line", given: "volume at least", most: 15, want: "volume at least"},
		{name: "two lines", given: "volume at least", most: 14, want: "volume at|least"},
		{name: "a long word", given: "a topology.kubernetes.io/zone", most: 10, want: "a|topology.kubernetes.io/zone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(wrap(c.given, c.most), "|"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
