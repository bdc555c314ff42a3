// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"strings"
	"testing"

	"github.com/moby/sys/mountinfo"
)

func TestPointsOf(t *testing.T) {
	t.Parallel()
	var mounts []*mountinfo.Info
	for _, at := range []string{"/a", "/b", "/a", "/c", "/c", "/c"} {
		mounts = append(mounts, &mountinfo.Info{Mountpoint: at})
	}
	const want = "/a (mounted twice), /b, /c (mounted 3 times)"
	if got := strings.Join(pointsOf(mounts), ", "); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
