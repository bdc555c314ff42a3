// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"strings"
	"testing"
)

func TestNotDomainName(t *testing.T) {
	for _, c := range []struct {
		name  string
		given string
		want  string
	}{
		{"a domain name", "hostpath.topo.csi", ""},
		{"a label of one character", "a", ""},
		{"dashes, digits and capitals", "9-To-5.example.COM", ""},
		{"as long as it may be", strings.Repeat("a", 63), ""},
		{"too long", strings.Repeat("a", 64), "it has 64 characters and may have 63"},
		{"nothing", "", `"" is not a label`},
		{"an underscore", "my_driver.example.com", `"my_driver" is not a label`},
		{"a dash at an end", "driver-.example.com", `"driver-" is not a label`},
		{"a dot at an end", "example.com.", `"" is not a label`},
		{"a slash", "example.com/driver", `"com/driver" is not a label`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := notDomainName(c.given); (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
				t.Errorf("notDomainName(%q) = %q, want %q", c.given, got, c.want)
			}
		})
	}
}
