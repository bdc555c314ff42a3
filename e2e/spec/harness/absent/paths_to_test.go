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
		{"ids that are paths", "pools/p/b", "pools/p/a", []string{"pools/p/a/../b", "pools/p/./b"}},
		{"ids that are absolute paths", "/pools/b", "/pools/a", []string{"/pools/a/../b", "/pools/./b"}},
		{"names between keys", "nfs#share#b##", "nfs#share#a##", []string{"nfs#share#a/../b##", "nfs#share#./b##"}},
		{"names between keys, of which one is a path", "nfs#pools/p#b##", "nfs#pools/p#a##", []string{"nfs#pools/p#a/../b##", "nfs#pools/p#./b##"}},
		{"a name as the value of a key", "driver=filecopy&id=b", "driver=filecopy&id=a", []string{"driver=filecopy&id=a/../b", "driver=filecopy&id=./b"}},
		{"ids of two names", "p1#b", "p2#a", []string{"p2/../p1#b", "./p1#b", "p1#a/../b", "p1#./b"}},
		{"ids of other forms", "pools/b", "a", []string{"pools/a/../b", "pools/./b"}},
		{"long ids", long, "o" + long, []string{"./" + long}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := PathsTo(c.id, c.other)
			if !slices.Equal(got, c.want) {
				t.Errorf("PathsTo = %q, want %q", got, c.want)
			}
			for _, p := range got {
				if cleaned := clean(p); cleaned != c.id {
					t.Errorf("%q leads to %q, want %q", p, cleaned, c.id)
				}
			}
		})
	}
}

// clean cleans each part of the id, between separators other than slashes, as a path.
func clean(id string) string {
	parts := strings.FieldsFunc(id, func(c rune) bool { return c != '/' && isSeparator(c) })
	for _, part := range parts {
		id = strings.Replace(id, part, path.Clean(part), 1)
	}
	return id
}
