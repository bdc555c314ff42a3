// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestASecondTargetIsUndone checks that a volume at a second target, which csi-sanity publishes and then forgets, is
// unpublished before the volume is unstaged, and that nothing is left on the node.
func TestASecondTargetIsUndone(t *testing.T) {
	var published atomic.Int64
	root := ""
	result := runOn(t, mutation.Driver{
		Focus:  "already mounted at a different target path",
		Target: func(target *harness.Target) { root = target.Paths.Root() },
		Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
			if !isSecondTarget(r.GetTargetPath()) {
				return right.NodePublishVolume(ctx, r)
			}
			published.Add(1)
			return &csi.NodePublishVolumeResponse{}, os.MkdirAll(filepath.Join(r.GetTargetPath(), "mounted"), 0o700)
		}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
			if !isSecondTarget(r.GetTargetPath()) {
				return right.NodeUnpublishVolume(ctx, r)
			}
			published.Add(-1)
			return &csi.NodeUnpublishVolumeResponse{}, os.RemoveAll(r.GetTargetPath())
		})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
			if left := published.Load(); left != 0 {
				t.Errorf("the volume is unstaged while it is published at %d second targets", left)
			}
			return right.NodeUnstageVolume(ctx, r)
		})),
	})
	ran := 0
	for _, c := range result.Cases {
		switch c.Verdict {
		case suite.Warned:
			ran++
		case suite.Skipped:
		default:
			t.Errorf("case %s: %s %s", c.ID, c.Verdict, c.Message)
		}
	}
	left, err := filepath.Glob(filepath.Join(root, "*", "*", "*"))
	if ran == 0 || err != nil || len(left) > 0 || published.Load() != 0 {
		t.Errorf("%d cases published a second target; %v is left, %v", ran, left, err)
	}
}

func isSecondTarget(path string) bool { return strings.HasSuffix(path, "/other_target") }
