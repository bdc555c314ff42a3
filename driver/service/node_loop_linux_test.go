// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
)

// TestNodeWithRealVolumes checks the life of a volume on its nodes.
func TestNodeWithRealVolumes(t *testing.T) {
	v := newRealVolume(t, realMount(csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER))
	first, second := v.serve("first"), v.serve("second")
	first.bringUp()
	ok(t, "write", os.WriteFile(filepath.Join(v.target, "f"), []byte("kept"), 0o600))
	before := first.usage()[csi.VolumeUsage_BYTES].GetTotal()
	first.grow(2 * realBytes)
	if gained := first.usage()[csi.VolumeUsage_BYTES].GetTotal() - before; gained < realBytes*9/10 {
		t.Errorf("the file system gained %d bytes, want about %d", gained, realBytes)
	}
	first.takeDown()

	second.bringUp()
	if text, err := os.ReadFile(filepath.Join(v.target, "f")); err != nil || string(text) != "kept" {
		t.Errorf("on the second node the file holds %q (%v), want %q", text, err, "kept")
	}
	second.takeDown()
}

// TestNodeRestartedWithRealVolumes checks that a plugin continues after a restart with a mounted volume that a pod is
// writing to.
func TestNodeRestartedWithRealVolumes(t *testing.T) {
	v := newRealVolume(t, realMount(csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER, "noatime"))
	other := filepath.Join(v.dir, "other")
	node := v.serve("node")
	node.bringUp()
	pod, err := os.Create(filepath.Join(v.target, "f"))
	ok(t, "open as the pod", err)
	defer pod.Close()
	node.end()
	_, err = pod.WriteString("kept")
	ok(t, "write as the pod while there is no plugin", err)

	node = v.serve("node")
	wantAnswer(t, "publish a second writer", node.publish(other, false), codes.FailedPrecondition)
	wantAnswer(t, "publish otherwise", node.publish(v.target, true), codes.AlreadyExists)
	v.as.GetMount().MountFlags = []string{"sync"}
	wantAnswer(t, "stage otherwise", node.stage(), codes.AlreadyExists)
	v.as.GetMount().MountFlags = []string{"noatime"}
	node.bringUp()
	node.grow(2 * realBytes)
	ok(t, "close as the pod", pod.Close())
	ok(t, "unpublish", node.unpublish(v.target))
	ok(t, "publish elsewhere, alone", node.publish(other, false))
	if text, err := os.ReadFile(filepath.Join(other, "f")); err != nil || string(text) != "kept" {
		t.Errorf("the file holds %q (%v), want %q", text, err, "kept")
	}

	// Everything is unmounted while the plugin is down, as by a restart of the node.
	node.end()
	for _, path := range []string{other, v.staging} {
		ok(t, "unmount", unix.Unmount(path, unix.UMOUNT_NOFOLLOW))
	}
	node = v.serve("node")
	v.as.GetMount().MountFlags = []string{"sync"}
	ok(t, "stage otherwise, where it is not staged", node.stage())
	ok(t, "publish a writer, where there is none", node.publish(v.target, false))
	ok(t, "unpublish what is not mounted", node.unpublish(other))
	if _, err := os.Lstat(other); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory of the other target is still there: %v", err)
	}
	node.takeDown()
	if left, err := os.ReadDir(filepath.Join(v.dir, "node")); err != nil || len(left) > 0 {
		t.Errorf("the state has the files %v (%v), want none", left, err)
	}
}

// TestNodeWithRealReadOnlyVolumes checks each way to request a volume without write access.
func TestNodeWithRealReadOnlyVolumes(t *testing.T) {
	for _, test := range []struct {
		name           string
		mode           csi.VolumeCapability_AccessMode_Mode
		publishContext map[string]string
		publication    bool
		stagedWritable bool
	}{
		{name: "by ControllerPublishVolume", mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER, publishContext: map[string]string{"readonly": "true"}},
		{name: "by access mode", mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY},
		{name: "by NodePublishVolume", mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER, publication: true, stagedWritable: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := newRealVolume(t, realMount(csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER))
			node := v.serve("node")
			ok(t, "stage once, for a file system", node.stage())
			ok(t, "unstage", node.unstage())
			v.as.AccessMode.Mode, v.publishContext = test.mode, test.publishContext
			ok(t, "stage", node.stage())
			ok(t, "publish", node.publish(v.target, test.publication))
			if err := os.WriteFile(filepath.Join(v.target, "f"), nil, 0o600); !errors.Is(err, unix.EROFS) {
				t.Errorf("writing to the target: %v, want %v", err, unix.EROFS)
			}
			if err := os.WriteFile(filepath.Join(v.staging, "f"), nil, 0o600); (err == nil) != test.stagedWritable {
				t.Errorf("writing to the staging path: %v, want success: %t", err, test.stagedWritable)
			}
			node.takeDown()
		})
	}
}

// TestNodeWithRealBlockVolumes checks the life of a raw block volume.
func TestNodeWithRealBlockVolumes(t *testing.T) {
	v := newRealVolume(t, realBlock(csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER))
	first, second := v.serve("first"), v.serve("second")
	first.bringUp()
	if info, err := os.Stat(v.target); err != nil || info.Mode()&os.ModeType != os.ModeDevice {
		t.Fatalf("the target is %v (%v), want a block device", info.Mode(), err)
	}
	usage := first.usage()
	if len(usage) != 1 || usage[csi.VolumeUsage_BYTES].GetTotal() != realBytes || usage[csi.VolumeUsage_BYTES].GetAvailable() != 0 {
		t.Errorf("the usage is %v, want %d bytes in total and nothing else", usage, realBytes)
	}
	first.end()
	first = v.serve("first")
	wantAnswer(t, "publish a second writer", first.publish(filepath.Join(v.dir, "other"), false), codes.FailedPrecondition)
	wantAnswer(t, "publish otherwise", first.publish(v.target, true), codes.AlreadyExists)
	first.grow(2 * realBytes)
	if total := first.usage()[csi.VolumeUsage_BYTES].GetTotal(); total != 2*realBytes {
		t.Errorf("grown, the device has %d bytes, want %d", total, 2*realBytes)
	}
	writeDevice(t, v.target, "kept", realBytes+4096)
	first.takeDown()

	second.bringUp()
	device, err := os.Open(v.target)
	ok(t, "open the device", err)
	text := make([]byte, len("kept"))
	if _, err := device.ReadAt(text, realBytes+4096); err != nil || string(text) != "kept" {
		t.Errorf("on the second node the device holds %q (%v), want %q", text, err, "kept")
	}
	ok(t, "close the device", device.Close())
	ok(t, "unpublish", second.unpublish(v.target))
	// Read-only is refused if the device would be writable nevertheless.
	wantAnswer(t, "publish read-only what is staged writable", second.publish(v.target, true), codes.FailedPrecondition)
	ok(t, "unstage", second.unstage())
	v.publishContext = map[string]string{"readonly": "true"}
	ok(t, "stage read-only", second.stage())
	ok(t, "publish read-only", second.publish(v.target, false))
	if device, err := os.OpenFile(v.target, os.O_WRONLY, 0); err == nil {
		_, err = device.WriteString("lost")
		if err = errors.Join(err, device.Sync(), device.Close()); err == nil {
			t.Error("a read-only device took a write")
		}
	}
	second.takeDown()
}

func writeDevice(t *testing.T, path, text string, at int64) {
	t.Helper()
	device, err := os.OpenFile(path, os.O_WRONLY, 0)
	ok(t, "open the device", err)
	_, err = device.WriteAt([]byte(text), at)
	ok(t, "write to the device", errors.Join(err, device.Sync(), device.Close()))
}
