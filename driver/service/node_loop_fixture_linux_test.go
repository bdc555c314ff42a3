// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"github.com/moby/sys/mountinfo"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/image"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// realVolume is an image with the paths where nodes mount it: as for the kubelet, over sockets, on loop devices, with a
// real XFS or as a raw device.
type realVolume struct {
	t               *testing.T
	images          *image.Provisioner
	dir, id         string
	staging, target string
	as              *csi.VolumeCapability
	publishContext  map[string]string
}

const realBytes = image.MinimumBytes

// newRealVolume makes a volume to be used with the capability. After the test, nothing of it may be mounted or attached
// to a loop device.
func newRealVolume(t *testing.T, as *csi.VolumeCapability) *realVolume {
	t.Helper()
	privileged.NeedDisks(t)
	v := &realVolume{t: t, dir: t.TempDir(), as: as}
	v.staging, v.target = filepath.Join(v.dir, "staging"), filepath.Join(v.dir, "target")
	var err error
	v.images, err = image.Open(filepath.Join(v.dir, "data"), nil)
	ok(t, "open the images", err)
	v.id, err = volume.NewID(volume.Image)
	ok(t, "make an id", err)
	ok(t, "create", v.images.Create(t.Context(), v.id, volume.Size{Bytes: realBytes}, volume.Origin{}))
	ok(t, "mkdir", os.Mkdir(v.staging, 0o750))
	t.Cleanup(v.wantNothingLeft)
	return v
}

// wantNothingLeft checks that nothing is mounted and no loop device attached, which
// a process that makes a mount namespace just then may delay.
func (v *realVolume) wantNothingLeft() {
	left, err := mountinfo.GetMounts(mountinfo.PrefixFilter(v.dir))
	if err != nil || len(left) > 0 {
		v.t.Errorf("still mounted: %v (%v)", left, err)
	}
	for _, mount := range left {
		_ = unix.Unmount(mount.Mountpoint, unix.UMOUNT_NOFOLLOW)
	}
	var attached []string
	err = wait.PollUntilContextTimeout(context.WithoutCancel(v.t.Context()), 10*time.Millisecond, 10*time.Second, true, func(context.Context) (bool, error) {
		attached = attached[:0]
		files, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
		for _, file := range files {
			if backing, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(backing), v.dir+"/") {
				attached = append(attached, file)
			}
		}
		return len(attached) == 0, err
	})
	if err != nil {
		v.t.Errorf("still on loop devices: %v (%v)", attached, err)
	}
}

// realNode is a node plugin on its own socket.
type realNode struct {
	csi.NodeClient
	v *realVolume
	// end ends the plugin, and leaves all mounts.
	end func()
}

// serve starts the node plugin with that name, on the state that the previous one left.
func (v *realVolume) serve(name string) *realNode {
	v.t.Helper()
	endpoint := "unix://" + filepath.Join(v.t.TempDir(), "csi.sock")
	socket, err := service.Listen(endpoint)
	ok(v.t, "listen", err)
	ctx, cancel := context.WithCancel(logr.NewContext(context.WithoutCancel(v.t.Context()), logr.Discard()))
	node, err := service.NewNode(ctx, service.NodeConfig{
		NodeID:   name,
		Volumes:  image.NewMounter(volume.MounterConfig{DataDir: filepath.Join(v.dir, "data"), NodeID: name}),
		StateDir: filepath.Join(v.dir, name),
	})
	ok(v.t, "start the node", err)
	group := errgroup.Group{}
	group.Go(func() error {
		return service.ServeOn(ctx, socket, func(server *grpc.Server) { csi.RegisterNodeServer(server, node) })
	})
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	ok(v.t, "dial", err)
	n := &realNode{NodeClient: csi.NewNodeClient(connection), v: v}
	n.end = func() {
		_ = connection.Close()
		cancel()
		ok(v.t, "serve", group.Wait())
	}
	v.t.Cleanup(n.end)
	return n
}

func (n *realNode) stage() error {
	_, err := n.NodeStageVolume(n.v.t.Context(), &csi.NodeStageVolumeRequest{
		VolumeId: n.v.id, StagingTargetPath: n.v.staging, VolumeCapability: n.v.as, PublishContext: n.v.publishContext,
	})
	return err
}

func (n *realNode) publish(target string, readOnly bool) error {
	_, err := n.NodePublishVolume(n.v.t.Context(), &csi.NodePublishVolumeRequest{
		VolumeId: n.v.id, StagingTargetPath: n.v.staging, TargetPath: target, VolumeCapability: n.v.as, PublishContext: n.v.publishContext, Readonly: readOnly,
	})
	return err
}

func (n *realNode) unpublish(target string) error {
	_, err := n.NodeUnpublishVolume(n.v.t.Context(), &csi.NodeUnpublishVolumeRequest{VolumeId: n.v.id, TargetPath: target})
	return err
}

func (n *realNode) unstage() error {
	_, err := n.NodeUnstageVolume(n.v.t.Context(), &csi.NodeUnstageVolumeRequest{VolumeId: n.v.id, StagingTargetPath: n.v.staging})
	return err
}

func (n *realNode) bringUp() {
	n.v.t.Helper()
	ok(n.v.t, "stage", n.stage())
	ok(n.v.t, "publish", n.publish(n.v.target, false))
}

func (n *realNode) takeDown() {
	n.v.t.Helper()
	ok(n.v.t, "unpublish", n.unpublish(n.v.target))
	ok(n.v.t, "unstage", n.unstage())
}

// grow makes the volume larger, as the controller would, and then expands it on the node.
func (n *realNode) grow(bytes int64) {
	n.v.t.Helper()
	ok(n.v.t, "grow", n.v.images.Resize(n.v.t.Context(), n.v.id, volume.Size{Bytes: bytes}))
	expanded, err := n.NodeExpandVolume(n.v.t.Context(), &csi.NodeExpandVolumeRequest{
		VolumeId: n.v.id, VolumePath: n.v.target, StagingTargetPath: n.v.staging, VolumeCapability: n.v.as,
		CapacityRange: &csi.CapacityRange{RequiredBytes: bytes},
	})
	ok(n.v.t, "expand", err)
	if expanded.GetCapacityBytes() != bytes {
		n.v.t.Errorf("expanded to %d bytes, want %d", expanded.GetCapacityBytes(), bytes)
	}
}

// usage returns the result of NodeGetVolumeStats for the target, by unit.
func (n *realNode) usage() map[csi.VolumeUsage_Unit]*csi.VolumeUsage {
	n.v.t.Helper()
	stats, err := n.NodeGetVolumeStats(n.v.t.Context(), &csi.NodeGetVolumeStatsRequest{VolumeId: n.v.id, VolumePath: n.v.target})
	ok(n.v.t, "stats", err)
	found := map[csi.VolumeUsage_Unit]*csi.VolumeUsage{}
	for _, usage := range stats.GetUsage() {
		found[usage.GetUnit()] = usage
	}
	return found
}

func realMount(mode csi.VolumeCapability_AccessMode_Mode, flags ...string) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: mode},
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{MountFlags: flags}},
	}
}

func realBlock(mode csi.VolumeCapability_AccessMode_Mode) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: mode},
		AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}},
	}
}

func wantAnswer(t *testing.T, what string, err error, want codes.Code) {
	t.Helper()
	if got := status.Convert(err); got.Code() != want {
		t.Errorf("%s: answered %s (%s), want %s", what, got.Code(), got.Message(), want)
	}
}

func ok(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}
