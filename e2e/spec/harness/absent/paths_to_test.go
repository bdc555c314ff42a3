// SPDX-License-Identifier: Apache-2.0

package absent

import (
	"path"
	"slices"
	"strings"
	"testing"
)

func TestPathsTo(t *testing.T) {
	long := strings.Repeat("v", 70)
	for _, c := range []struct {
		name, id, other string
		want            []string
	}{
		{"ids without a slash", "b", "a", []string{"a/../b", "./b"}},
		{"ids that are paths", "pools/p/b", "pools/p/a", []string{"pools/p/a/../b"}},
		{"ids that are absolute paths", "/pools/b", "/pools/a", []string{"/pools/a/../b"}},
		{"long ids", long, "o" + long, []string{"./" + long}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := PathsTo(c.id, c.other)
			if !slices.Equal(got, c.want) {
				t.Errorf("PathsTo = %q, want %q", got, c.want)
			}
			for _, p := range got {
				if path.Clean(p) != c.id {
					t.Errorf("%q leads to %q, want %q", p, path.Clean(p), c.id)
				}
			}
		})
	}
}
