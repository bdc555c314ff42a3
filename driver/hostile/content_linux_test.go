// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// TestPlantedFileForADevice checks that a file with content stays where a raw block device would be bind-mounted on it,
// at the staging path and at the target path.
func TestPlantedFileForADevice(t *testing.T) {
	privileged.NeedDisks(t)
	w := newDiskWorld(t, newTrap(t, memoryDir()), volume.Image)
	block := &csi.VolumeCapability{
		AccessMode: w.capability().GetAccessMode(),
		AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}},
	}
	at := w.tree.path("node/pods/planted")
	file(at)(t)
	stage := &csi.NodeStageVolumeRequest{VolumeId: w.idle, StagingTargetPath: w.idleStaging(), VolumeCapability: block}
	device := filepath.Join(w.idleStaging(), "device")
	must(t, "plant a file", os.WriteFile(device, []byte("kept"), 0o600))
	wantRefused := func(what string, request proto.Message, kept string) {
		t.Helper()
		_, err := w.send(t.Context(), what, request)
		if got := status.Convert(err); got.Code() != codes.InvalidArgument {
			t.Errorf("%s answered %s (%s), want INVALID_ARGUMENT", what, got.Code(), got.Message())
		}
		if text, err := os.ReadFile(kept); err != nil || string(text) != "kept" {
			t.Errorf("after %s the file holds %.40q (%v)", what, text, err)
		}
	}
	wantRefused("NodeStageVolume", stage, device)
	must(t, "remove the file", os.Remove(device))
	_, err := w.send(t.Context(), "NodeStageVolume", stage)
	must(t, "stage", err)
	wantRefused("NodePublishVolume", &csi.NodePublishVolumeRequest{
		VolumeId: w.idle, StagingTargetPath: w.idleStaging(), TargetPath: at, VolumeCapability: block,
	}, at)
	wantRefused("NodeUnpublishVolume", &csi.NodeUnpublishVolumeRequest{VolumeId: w.idle, TargetPath: at}, at)
	must(t, "unstage", w.unstageIdle(t.Context()))
}

// TestPlantedContent checks that a copy of a volume has the same links that its users made, and that deletions follow
// none.
func TestPlantedContent(t *testing.T) {
	privileged.NeedDisks(t)
	w := newDiskWorld(t, newTrap(t, memoryDir()), volume.Dir)
	content := func(id string) string { return w.tree.path("data/volumes/" + id + ".dir/data") }
	links := map[string]string{
		"absolute": w.tree.path("outside/etc"), "relative": "../../../../outside/etc/passwd", "host": "/etc/passwd", "parent": "..", "loop": "loop",
	}
	for name, to := range links {
		must(t, "plant a link", os.Symlink(to, filepath.Join(content(w.idle), name)))
	}
	before := w.tree.fingerprint(t)
	created, err := send[*csi.CreateVolumeResponse](t.Context(), w.call, "CreateVolume", w.validRequests(rpcNamed(t, "CreateVolume"))[1].(*csi.CreateVolumeRequest))
	must(t, "clone", err)
	clone := created.GetVolume().GetVolumeId()
	for name, want := range links {
		if got, err := os.Readlink(filepath.Join(content(clone), name)); err != nil || got != want {
			t.Errorf("in the clone %s is a link to %q (%v), want %q", name, got, err, want)
		}
	}
	must(t, "stage", w.stage(t.Context(), clone, w.idleStaging()))
	for rpc, request := range map[string]proto.Message{
		"NodeGetVolumeStats":  &csi.NodeGetVolumeStatsRequest{VolumeId: clone, VolumePath: w.idleStaging()},
		"NodeGetVolumeHealth": &csi.NodeGetVolumeHealthRequest{VolumeId: clone, StagingTargetPath: w.idleStaging()},
	} {
		_, err := w.send(t.Context(), rpc, request)
		must(t, rpc, err)
	}
	_, err = w.send(t.Context(), "NodeUnstageVolume", &csi.NodeUnstageVolumeRequest{VolumeId: clone, StagingTargetPath: w.idleStaging()})
	must(t, "unstage", err)
	for _, id := range []string{clone, w.idle} {
		_, err := w.send(t.Context(), "DeleteVolume", &csi.DeleteVolumeRequest{VolumeId: id})
		must(t, "delete", err)
	}
	for _, dir := range []string{"data/trash"} {
		if left, err := os.ReadDir(w.tree.path(dir)); err != nil || len(left) > 0 {
			t.Errorf("in %s there is still %v (%v)", dir, left, err)
		}
	}
	wantSame(t, "a volume with links in it", before, w.tree.fingerprint(t))
}
