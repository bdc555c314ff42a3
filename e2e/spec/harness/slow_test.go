// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"
	"testing"
	"time"
)

func TestSlowly(t *testing.T) {
	for _, c := range []struct {
		name string
		rpc  string
		took time.Duration
		want string
	}{
		{"a call that is quick", "GetCapacity", 900 * time.Millisecond, ""},
		{"a call that the profile can do without", "GetCapacity", 5 * time.Second, "GetCapacity took 5.0 s."},
		{"another call", "ListVolumes", 2 * time.Second, "ListVolumes took 2.0 s."},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := slowly(c.rpc, c.took)
			if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("want %q, got %q", c.want, got)
			}
			if tells := strings.Contains(got, "capacity: untracked"); tells != (c.want != "" && c.rpc == "GetCapacity") {
				t.Errorf("that capacity can be untracked is said: %t", tells)
			}
		})
	}
}
