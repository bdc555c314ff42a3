// SPDX-License-Identifier: Apache-2.0

package image

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// shutDown stops the file system at the path as an error of its disk would
// (XFS_IOC_GOINGDOWN, EXT4_IOC_SHUTDOWN).
func shutDown(t *testing.T, path string) {
	t.Helper()
	const request, withoutLog = 0x8004587d, uint32(2)
	dir, err := os.Open(path)
	must(t, "open", err)
	defer dir.Close()
	how := withoutLog
	must(t, "shut down", unix.IoctlSetPointerInt(int(dir.Fd()), request, int(how)))
}

func TestLoopMounterCheckAt(t *testing.T) {
	for _, test := range []struct {
		name  string
		with  volume.StageOptions
		given func(t *testing.T, n node, id string)
		want  string
	}{
		{name: "staged and published"},
		{name: "staged and published read-only", with: volume.StageOptions{ReadOnly: true}},
		{name: "staged and published as a block device", with: volume.StageOptions{Block: true}},
		{name: "not published any more", want: "NotPublished", given: func(t *testing.T, n node, id string) { must(t, "unpublish", n.Unpublish(t.Context(), id, n.target())) }},
		{name: "not staged any more", want: "NotStaged", given: func(t *testing.T, n node, id string) { must(t, "unstage", n.Unstage(t.Context(), id, n.staging())) }},
		{name: "detached", with: volume.StageOptions{Block: true}, want: "NotStaged", given: func(t *testing.T, n node, id string) {
			must(t, "unpublish", n.Unpublish(t.Context(), id, n.target()))
			detachBelow(t, n.images.data.Path)
		}},
		{name: "image removed", want: "ImageMissing", given: func(t *testing.T, n node, id string) { must(t, "delete", n.images.Delete(t.Context(), id)) }},
		{name: "no data directory", want: "DataDirectoryUnreachable", given: func(t *testing.T, n node, _ string) {
			path := n.images.data.Path
			must(t, "move", os.Rename(path, path+".moved"))
			t.Cleanup(func() { must(t, "move back", os.Rename(path+".moved", path)) })
		}},
		{name: "xfs shut down", want: "FileSystemShutDown", given: func(t *testing.T, n node, _ string) { shutDown(t, n.staging()) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, _, id := newNode(t)
			if test.with.ReadOnly {
				must(t, "make a file system", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
				must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			}
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), test.with))
			must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{Block: test.with.Block}))
			if test.given != nil {
				test.given(t, n, id)
			}
			target := n.target()
			if test.want == "NotStaged" {
				target = ""
			}
			problems, err := n.CheckAt(t.Context(), id, n.staging(), target)
			wantProblem(t, problems, err, test.want, volume.Inaccessible)
			if strings.HasPrefix(test.want, "Not") || strings.HasPrefix(test.want, "File") {
				problems, err = n.CheckAt(t.Context(), id, "", "") // the image alone is sound
				wantProblem(t, problems, err, "", 0)
			}
		})
	}
	for _, id := range []string{"v", "", newID(t, volume.Dir), newID(t, volume.Image)} {
		_, err := NewMounter(volume.MounterConfig{DataDir: t.TempDir()}).CheckAt(t.Context(), id, "", "")
		wantError(t, "check "+id, err, volume.ErrNotFound)
	}
}

// TestLoopMounterRepairsByStaging checks that staging again repairs a file system that stopped.
func TestLoopMounterRepairsByStaging(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			n, images, id := newNode(t)
			o := volume.StageOptions{FSType: fsType}
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), o))
			write(t, filepath.Join(n.staging(), "f"), "kept")
			dir, err := os.Open(n.staging())
			must(t, "open", err)
			must(t, "sync", unix.Syncfs(int(dir.Fd())))
			must(t, "close", dir.Close())
			shutDown(t, n.staging())
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			wantDetached(t, images.data.Path)
			must(t, "stage again", n.Stage(t.Context(), id, n.staging(), o))
			wantContent(t, filepath.Join(n.staging(), "f"), "kept")
			problems, err := n.CheckAt(t.Context(), id, n.staging(), "")
			wantProblem(t, problems, err, "", 0)
		})
	}
}

func TestCheckStorage(t *testing.T) {
	privileged.NeedDisks(t)
	data := filepath.Join(t.TempDir(), "data")
	mounter := NewMounter(volume.MounterConfig{DataDir: data})
	for _, created := range []bool{false, true} {
		if created {
			must(t, "mkdir", os.Mkdir(data, 0o750)) // but no controller has run yet
		}
		problems, err := mounter.CheckStorage(t.Context())
		wantProblem(t, problems, err, "DataDirectoryUnreachable", volume.Inaccessible)
	}
	openImages(t, data)
	problems, err := mounter.CheckStorage(t.Context())
	wantProblem(t, problems, err, "", 0)
}
