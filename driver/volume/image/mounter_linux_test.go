// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
)

func TestLoopMounterKeepsDataFromStageToStage(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			n, images, id := newNode(t)
			o := volume.StageOptions{FSType: fsType}
			for _, again := range []string{"", " again"} {
				must(t, "stage"+again, n.Stage(t.Context(), id, n.staging(), o))
				must(t, "publish"+again, n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}))
			}
			write(t, filepath.Join(n.target(), "f"), "kept")
			for _, again := range []string{"", " again"} {
				must(t, "unpublish"+again, n.Unpublish(t.Context(), id, n.target()))
			}
			for _, again := range []string{"", " again"} {
				must(t, "unstage"+again, n.Unstage(t.Context(), id, n.staging()))
			}
			if _, err := os.Stat(n.target()); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the target path is still there: %v", err)
			}

			other := anotherNode(t, images, "other")
			must(t, "stage on another node", other.Stage(t.Context(), id, other.staging(), o))
			wantContent(t, filepath.Join(other.staging(), "f"), "kept")
			must(t, "unstage there", other.Unstage(t.Context(), id, other.staging()))
		})
	}
}
