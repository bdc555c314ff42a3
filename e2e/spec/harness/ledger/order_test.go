// SPDX-License-Identifier: Apache-2.0

package ledger

import "testing"

func TestAwaits(t *testing.T) {
	unpublish := Entry{What: "volume v published by node n", By: "NodeUnpublishVolume", Of: "volume v"}
	unstage := Entry{What: "volume v staged by node n", By: "NodeUnstageVolume", Of: "volume v"}
	detach := Entry{What: "volume v published to node n", By: "ControllerUnpublishVolume", Of: "volume v"}
	remove := Entry{What: "volume v", By: "DeleteVolume"}
	for _, c := range []struct {
		name      string
		one, then Entry
		want      bool
	}{
		{"unstaged after it is unpublished", unpublish, unstage, true},
		{"detached after it is unpublished", unpublish, detach, true},
		{"deleted after it is unpublished", unpublish, remove, true},
		{"deleted after it is detached", detach, remove, true},
		{"unpublished before it is unstaged", unstage, unpublish, false},
		{"unpublished from two paths in any order", unpublish, unpublish, false},
		{"another volume", unpublish, Entry{What: "volume w", By: "DeleteVolume"}, false},
		{"a copy", unpublish, Entry{What: "volume w", By: "DeleteVolume", Of: "volume v"}, false},
		{"a snapshot", Entry{What: "snapshot s", By: "DeleteSnapshot", Of: "volume v"}, remove, false},
		{"what no call removes", Entry{What: "directory"}, Entry{What: "process"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.then.Awaits(c.one); got != c.want {
				t.Errorf("%q awaits %q is %v, want %v", c.then.What, c.one.What, got, c.want)
			}
		})
	}
}
