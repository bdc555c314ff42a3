// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/paths"
)

func TestNamesAreLabels(t *testing.T) {
	d := connect(&Target{Run: "abcdefgh"}, &health.Health{}, "T-PF-1a_b")
	if got, want := d.Name(), "csi-topo-abcdefgh-t-pf-1a-b-1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLongPath(t *testing.T) {
	d := connect(&Target{Paths: paths.Local(t.TempDir()), Run: "run", Timeouts: profile.DefaultTimeouts()}, &health.Health{}, "case")
	n := &Node{Driver: d, ID: "node-1"}
	least := len(n.LongPath(t.Context(), 0))
	for _, c := range []struct {
		name        string
		given, want int
	}{
		{"a path as short as can be", 0, least},
		{"one byte more, which a separator and a name are not", least + 1, least + 2},
		{"two bytes more", least + 2, least + 2},
		{"one long name", least + 201, least + 201},
		{"one long name, and a byte more", least + 202, least + 202},
		{"several names", least + 1000, least + 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := n.LongPath(t.Context(), c.given)
			// Each gets a new name, of the same length while their number has one digit.
			if len(got) != c.want {
				t.Errorf("LongPath(%d) has %d bytes, want %d", c.given, len(got), c.want)
			}
			if info, err := os.Stat(got); err != nil || !info.IsDir() {
				t.Errorf("LongPath made no directory: %v", err)
			}
			for _, name := range strings.Split(got, "/") {
				if len(name) > 255 {
					t.Errorf("a name in the path has %d bytes", len(name))
				}
			}
		})
	}
	giveBack(t.Context(), d)
	left, err := os.ReadDir(d.Target.Paths.Root())
	if err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

func TestClearsUnpublishedTargets(t *testing.T) {
	for _, c := range []struct {
		name        string
		unpublished bool
		inside      bool
		want        bool
	}{
		{"an empty directory that is said to be unpublished", true, false, true},
		{"one with something in it", true, true, false},
		{"one that nobody unpublished", false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := connect(&Target{Paths: paths.Local(t.TempDir()), Run: "run", Timeouts: profile.Timeouts{Cleanup: 1}}, &health.Health{}, "case")
			n := &Node{Driver: d, ID: "node-1"}
			target := n.TargetPath(t.Context())
			if err := os.Mkdir(target, 0o700); err != nil {
				t.Fatal(err)
			}
			if c.inside {
				if err := os.Mkdir(target+"/data", 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if c.unpublished {
				noteAnswered(d, n, &csi.NodeUnpublishVolumeRequest{TargetPath: target}, nil, nil)
			}
			if err := removeAll(t.Context(), d, time.Now().Add(time.Minute)); (err == nil) != c.want {
				t.Errorf("removeAll = %v, want success: %v", err, c.want)
			}
		})
	}
}
