package service_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/moby/sys/mountinfo"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// TestNodeWithRealVolumes is the life of a volume on its nodes as the kubelet
// sees it: over sockets, on loop devices, with a real XFS.
func TestNodeWithRealVolumes(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("mounting needs root")
	}
	for _, needed := range []string{"mkfs.xfs", "xfs_growfs", "blkid", "mount", "umount"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("mounting needs %s, which is not installed", needed)
		}
	}
	if err := unix.Access("/dev/loop-control", unix.W_OK); err != nil {
		t.Skipf("mounting needs loop devices: %v", err)
	}
	const size, larger = volume.MinimumBytes, 2 * volume.MinimumBytes
	dir := t.TempDir()
	images, err := volume.OpenImages(dir)
	ok(t, "open the images", err)
	t.Cleanup(func() { _ = images.Close() })
	ok(t, "create", images.Create(t.Context(), "v", size))

	first, second := serveNode(t, images, "first"), serveNode(t, images, "second")
	staging, target := filepath.Join(dir, "staging"), filepath.Join(dir, "target")
	ok(t, "mkdir", os.Mkdir(staging, 0o750))
	t.Cleanup(func() {
		for _, path := range []string{target, staging} {
			_ = unix.Unmount(path, 0)
		}
	})
	as := &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER},
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
	}
	bringUp := func(node csi.NodeClient) {
		t.Helper()
		_, err := node.NodeStageVolume(t.Context(), &csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: staging, VolumeCapability: as})
		ok(t, "stage", err)
		_, err = node.NodePublishVolume(t.Context(), &csi.NodePublishVolumeRequest{VolumeId: "v", StagingTargetPath: staging, TargetPath: target, VolumeCapability: as})
		ok(t, "publish", err)
	}
	takeDown := func(node csi.NodeClient) {
		t.Helper()
		_, err := node.NodeUnpublishVolume(t.Context(), &csi.NodeUnpublishVolumeRequest{VolumeId: "v", TargetPath: target})
		ok(t, "unpublish", err)
		_, err = node.NodeUnstageVolume(t.Context(), &csi.NodeUnstageVolumeRequest{VolumeId: "v", StagingTargetPath: staging})
		ok(t, "unstage", err)
		if left, err := mountinfo.GetMounts(mountinfo.PrefixFilter(dir)); err != nil || len(left) > 0 {
			t.Errorf("still mounted: %v (%v)", left, err)
		}
	}

	bringUp(first)
	ok(t, "write", os.WriteFile(filepath.Join(target, "f"), []byte("kept"), 0o600))
	before := totalBytes(t, first, target)
	ok(t, "grow", images.Grow(t.Context(), "v", larger))
	expanded, err := first.NodeExpandVolume(t.Context(), &csi.NodeExpandVolumeRequest{
		VolumeId: "v", VolumePath: target, StagingTargetPath: staging, CapacityRange: &csi.CapacityRange{RequiredBytes: larger},
	})
	ok(t, "expand", err)
	if expanded.GetCapacityBytes() != larger {
		t.Errorf("expanded to %d bytes, want %d", expanded.GetCapacityBytes(), larger)
	}
	if gained := totalBytes(t, first, target) - before; gained < size*9/10 {
		t.Errorf("the file system gained %d bytes, want about %d", gained, size)
	}
	takeDown(first)

	bringUp(second)
	if text, err := os.ReadFile(filepath.Join(target, "f")); err != nil || string(text) != "kept" {
		t.Errorf("on the second node the file holds %q (%v), want %q", text, err, "kept")
	}
	takeDown(second)
}

// serveNode serves a node plugin on a socket of its own and returns a client for it.
func serveNode(t *testing.T, images *volume.Images, id string) csi.NodeClient {
	t.Helper()
	endpoint := "unix://" + filepath.Join(t.TempDir(), "csi.sock")
	socket, err := service.Listen(endpoint)
	ok(t, "listen", err)
	node := service.NewNode(service.NodeConfig{NodeID: id, Volumes: volume.NewLoopMounter(images)})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	group := errgroup.Group{}
	group.Go(func() error {
		return service.ServeOn(ctx, socket, func(server *grpc.Server) { csi.RegisterNodeServer(server, node) })
	})
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	ok(t, "dial", err)
	t.Cleanup(func() {
		_ = connection.Close()
		cancel()
		ok(t, "serve", group.Wait())
	})
	return csi.NewNodeClient(connection)
}

func totalBytes(t *testing.T, node csi.NodeClient, path string) int64 {
	t.Helper()
	stats, err := node.NodeGetVolumeStats(t.Context(), &csi.NodeGetVolumeStatsRequest{VolumeId: "v", VolumePath: path})
	ok(t, "stats", err)
	for _, usage := range stats.GetUsage() {
		if usage.GetUnit() == csi.VolumeUsage_BYTES {
			return usage.GetTotal()
		}
	}
	t.Fatalf("no bytes in %v", stats)
	return 0
}

func ok(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}
