package volume

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	mebi       = int64(1) << 20
	volumeSize = int64(MinimumBytes)
)

// node is one node's view: its own mounter on the shared images, and its own paths.
type node struct {
	*LoopMounter
	dir string
}

func (n node) staging() string { return filepath.Join(n.dir, "staging") }
func (n node) target() string  { return filepath.Join(n.dir, "target") }

// newNode returns a node with an image "v" and sees to it that no mount and no
// loop device outlive the test.
func newNode(t *testing.T) (node, *Images) {
	t.Helper()
	requireLoopDevices(t)
	images, dir := openImages(t)
	if err := images.Create(t.Context(), "v", volumeSize); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		wantDetached(t, dir)
	})
	return anotherNode(t, images), images
}

func anotherNode(t *testing.T, images *Images) node {
	t.Helper()
	n := node{LoopMounter: NewLoopMounter(images), dir: t.TempDir()}
	if err := os.Mkdir(n.staging(), 0o750); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, path := range []string{n.target(), filepath.Join(n.dir, "target2"), n.staging()} {
			if _, err := n.unmountAll(path); err != nil {
				t.Error(err)
			}
		}
	})
	return n
}

func requireLoopDevices(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting needs root")
	}
	for _, program := range []string{"mkfs.xfs", "xfs_growfs", "blkid", "mount", "umount"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("mounting needs %s, which is not installed", program)
		}
	}
	control, err := os.OpenFile(loopControl, os.O_RDWR, 0)
	if err != nil {
		t.Skipf("mounting needs loop devices: %v", err)
	}
	if err := control.Close(); err != nil {
		t.Fatal(err)
	}
}

// wantDetached waits until no image below the directory has a loop device. Another
// process that makes a mount namespace just then has a copy of the mount for a moment.
func wantDetached(t *testing.T, dir string) {
	t.Helper()
	var left []string
	err := wait.PollUntilContextTimeout(context.WithoutCancel(t.Context()), 10*time.Millisecond, 10*time.Second, true, func(context.Context) (bool, error) {
		left = attachedBelow(t, dir)
		return len(left) == 0, nil
	})
	if err != nil {
		t.Errorf("these images are still attached to loop devices: %v", left)
	}
}

// attachedBelow lists the images below the directory that the kernel has on loop devices.
func attachedBelow(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	if err != nil {
		t.Fatal(err)
	}
	var below []string
	for _, file := range files {
		backing, err := os.ReadFile(file)
		if err == nil && strings.HasPrefix(string(backing), dir+"/") {
			below = append(below, strings.TrimSpace(string(backing)))
		}
	}
	return below
}

func must(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func wantError(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestLoopMounterKeepsDataFromStageToStage(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			n, images := newNode(t)
			o := StageOptions{FSType: fsType}
			must(t, "stage", n.Stage(t.Context(), "v", n.staging(), o))
			must(t, "stage again", n.Stage(t.Context(), "v", n.staging(), o))
			must(t, "publish", n.Publish(t.Context(), "v", n.staging(), n.target(), false))
			must(t, "publish again", n.Publish(t.Context(), "v", n.staging(), n.target(), false))
			must(t, "write", os.WriteFile(filepath.Join(n.target(), "f"), []byte("kept"), 0o600))
			for _, again := range []string{"", " again"} {
				must(t, "unpublish"+again, n.Unpublish(t.Context(), "v", n.target()))
				must(t, "unstage"+again, n.Unstage(t.Context(), "v", n.staging()))
			}
			if _, err := os.Stat(n.target()); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the target path is still there: %v", err)
			}

			other := anotherNode(t, images)
			must(t, "stage on another node", other.Stage(t.Context(), "v", other.staging(), o))
			if text, err := os.ReadFile(filepath.Join(other.staging(), "f")); err != nil || string(text) != "kept" {
				t.Errorf("the file holds %q (%v) on another node, want %q", text, err, "kept")
			}
			must(t, "unstage there", other.Unstage(t.Context(), "v", other.staging()))
		})
	}
}

func TestLoopMounterStageRefuses(t *testing.T) {
	n, images := newNode(t)
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{}))
	must(t, "create", images.Create(t.Context(), "w", volumeSize))
	other := anotherNode(t, images)
	tests := []struct {
		name string
		id   string
		path string
		with StageOptions
		want error
	}{
		{name: "another file system", id: "v", path: n.staging(), with: StageOptions{FSType: "ext4"}, want: ErrIncompatible},
		{name: "read-only instead", id: "v", path: n.staging(), with: StageOptions{ReadOnly: true}, want: ErrIncompatible},
		{name: "ro among the flags", id: "v", path: n.staging(), with: StageOptions{MountFlags: []string{"ro"}}, want: ErrIncompatible},
		{name: "a path with another volume", id: "w", path: n.staging(), want: ErrIncompatible},
		{name: "a second node at the same time", id: "v", path: other.staging(), want: ErrRefused},
		{name: "read-only without a file system", id: "w", path: other.staging(), with: StageOptions{ReadOnly: true}, want: ErrRefused},
		{name: "an unknown file system", id: "w", path: other.staging(), with: StageOptions{FSType: "btrfs"}, want: ErrInvalid},
		{name: "a staging path that is not there", id: "w", path: filepath.Join(other.dir, "none"), want: ErrInvalid},
		{name: "a volume without image", id: "none", path: other.staging(), want: ErrNotFound},
		{name: "a volume without image at a used path", id: "none", path: n.staging(), want: ErrNotFound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond) // not as long as an attached image is waited for
			defer cancel()
			wantError(t, "stage", n.Stage(ctx, test.id, test.path, test.with), test.want)
			if found, err := mountedAt(other.staging()); err != nil || found != nil {
				t.Errorf("a refused stage left %v mounted (%v)", found, err)
			}
		})
	}
}

func TestLoopMounterRefusesTheWrongFileSystemOnDisk(t *testing.T) {
	n, _ := newNode(t)
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{FSType: "ext4"}))
	must(t, "unstage", n.Unstage(t.Context(), "v", n.staging()))
	wantError(t, "stage as xfs what is ext4", n.Stage(t.Context(), "v", n.staging(), StageOptions{FSType: "xfs"}), ErrRefused)
}

func TestLoopMounterStageReadOnly(t *testing.T) {
	n, images := newNode(t)
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{}))
	must(t, "write", os.WriteFile(filepath.Join(n.staging(), "f"), []byte("kept"), 0o600))
	must(t, "unstage", n.Unstage(t.Context(), "v", n.staging()))

	o := StageOptions{ReadOnly: true}
	must(t, "stage read-only", n.Stage(t.Context(), "v", n.staging(), o))
	must(t, "stage read-only again", n.Stage(t.Context(), "v", n.staging(), o))
	if text, err := os.ReadFile(filepath.Join(n.staging(), "f")); err != nil || string(text) != "kept" {
		t.Errorf("the file holds %q (%v), want %q", text, err, "kept")
	}
	_, device, err := n.volumeAt("v", n.staging())
	must(t, "find the device", err)
	defer device.Close()
	readOnly, err := os.ReadFile(filepath.Join("/sys/block", filepath.Base(device.Name()), "ro"))
	if err != nil || strings.TrimSpace(string(readOnly)) != "1" {
		t.Errorf("the loop device has ro=%q (%v), want 1: its image could be written to", readOnly, err)
	}
	must(t, "publish", n.Publish(t.Context(), "v", n.staging(), n.target(), false))
	must(t, "publish again", n.Publish(t.Context(), "v", n.staging(), n.target(), false))
	if err := os.WriteFile(filepath.Join(n.target(), "g"), nil, 0o600); !errors.Is(err, unix.EROFS) {
		t.Errorf("writing to a volume that is staged read-only gave %v, want EROFS", err)
	}
	must(t, "grow", images.Grow(t.Context(), "v", 2*volumeSize))
	_, err = n.Expand(t.Context(), "v", n.staging())
	wantError(t, "expand what is read-only", err, ErrRefused)
}

// A mount that was made twice, as by a call that was cut off, is undone whole.
func TestLoopMounterUnmountsWhatIsMountedTwice(t *testing.T) {
	n, _ := newNode(t)
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{}))
	must(t, "mkdir", os.Mkdir(n.target(), 0o750))
	for range 2 {
		must(t, "bind", unix.Mount(n.staging(), n.target(), "", unix.MS_BIND, ""))
	}
	must(t, "unpublish", n.Unpublish(t.Context(), "v", n.target()))
	if _, err := os.Stat(n.target()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the target path is still there: %v", err)
	}
}

// What covers the volume at the path is what counts: it is not the volume.
func TestLoopMounterSeesWhatCoversTheVolume(t *testing.T) {
	n, _ := newNode(t)
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{}))
	must(t, "cover", unix.Mount("tmpfs", n.staging(), "tmpfs", 0, ""))
	_, err := n.Usage(t.Context(), "v", n.staging())
	wantError(t, "usage of what is covered", err, ErrNotFound)
}

func TestLoopMounterPublishReadOnly(t *testing.T) {
	n, _ := newNode(t)
	second := filepath.Join(n.dir, "target2")
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{}))
	must(t, "publish", n.Publish(t.Context(), "v", n.staging(), n.target(), true))
	must(t, "publish again", n.Publish(t.Context(), "v", n.staging(), n.target(), true))
	wantError(t, "publish writable", n.Publish(t.Context(), "v", n.staging(), n.target(), false), ErrIncompatible)
	if err := os.WriteFile(filepath.Join(n.target(), "f"), nil, 0o600); err == nil {
		t.Error("a read-only target could be written to")
	}
	must(t, "publish a second time, writable", n.Publish(t.Context(), "v", n.staging(), second, false))
	must(t, "write there", os.WriteFile(filepath.Join(second, "f"), nil, 0o600))
}

func TestLoopMounterPublishRefuses(t *testing.T) {
	n, images := newNode(t)
	must(t, "create", images.Create(t.Context(), "w", volumeSize))
	wantError(t, "publish what is not staged", n.Publish(t.Context(), "v", n.staging(), n.target(), false), ErrRefused)
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{}))
	wantError(t, "publish another volume's staging path", n.Publish(t.Context(), "w", n.staging(), n.target(), false), ErrRefused)
	wantError(t, "publish an unknown volume", n.Publish(t.Context(), "none", n.staging(), n.target(), false), ErrNotFound)
	if _, err := os.Stat(n.target()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused publish left the target path: %v", err)
	}
}

func TestLoopMounterUndoesOnlyWhatItDid(t *testing.T) {
	n, _ := newNode(t)
	must(t, "mkdir", os.Mkdir(n.target(), 0o750))
	kept := filepath.Join(n.target(), "of-someone-else")
	must(t, "write", os.WriteFile(kept, nil, 0o600))
	if err := n.Unpublish(t.Context(), "v", n.target()); err == nil {
		t.Error("a directory with files in it was unpublished")
	}
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("a file below the target path was removed: %v", err)
	}
	wantError(t, "unpublish an unknown volume", n.Unpublish(t.Context(), "none", filepath.Join(n.dir, "none")), ErrNotFound)
	wantError(t, "unstage an unknown volume", n.Unstage(t.Context(), "none", n.staging()), ErrNotFound)
}

func TestLoopMounterExpand(t *testing.T) {
	n, images := newNode(t)
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{}))
	must(t, "publish", n.Publish(t.Context(), "v", n.staging(), n.target(), false))
	before, err := n.Usage(t.Context(), "v", n.target())
	must(t, "usage", err)
	const larger = 2 * volumeSize
	for _, path := range []string{n.target(), n.staging()} { // the second has nothing left to do
		must(t, "grow", images.Grow(t.Context(), "v", larger))
		size, err := n.Expand(t.Context(), "v", path)
		must(t, "expand", err)
		if size != larger {
			t.Errorf("Expand answered %d bytes, want %d", size, larger)
		}
		after, err := n.Usage(t.Context(), "v", n.target())
		must(t, "usage", err)
		if gained := after.TotalBytes - before.TotalBytes; gained < volumeSize*9/10 {
			t.Errorf("the file system gained %d bytes, want about %d", gained, volumeSize)
		}
	}
	_, err = n.Expand(t.Context(), "v", n.dir)
	wantError(t, "expand where it is not", err, ErrNotFound)
	_, err = n.Expand(t.Context(), "none", n.target())
	wantError(t, "expand an unknown volume", err, ErrNotFound)
}

// Whether a mounted ext4 may grow is up to the host; what it must not do is fail without saying so.
func TestLoopMounterExpandExt4(t *testing.T) {
	if _, err := exec.LookPath("resize2fs"); err != nil {
		t.Skipf("growing ext4 needs resize2fs, which is not installed")
	}
	n, images := newNode(t)
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{FSType: "ext4"}))
	must(t, "grow", images.Grow(t.Context(), "v", 2*volumeSize))
	if _, err := n.Expand(t.Context(), "v", n.staging()); err != nil && (!errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "CAP_SYS_RESOURCE")) {
		t.Errorf("Expand answered %v, want none or a refusal that names CAP_SYS_RESOURCE", err)
	}
}

func TestLoopMounterUsage(t *testing.T) {
	n, _ := newNode(t)
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{}))
	before, err := n.Usage(t.Context(), "v", n.staging())
	must(t, "usage", err)
	must(t, "write", os.WriteFile(filepath.Join(n.staging(), "f"), make([]byte, 16*mebi), 0o600))
	after, err := n.Usage(t.Context(), "v", n.staging())
	must(t, "usage", err)
	if used := after.UsedBytes - before.UsedBytes; used < 16*mebi || used > 17*mebi {
		t.Errorf("16 MiB written are seen as %d bytes used", used)
	}
	if used := after.UsedInodes - before.UsedInodes; used != 1 {
		t.Errorf("one file is seen as %d inodes used", used)
	}
	if after.TotalBytes > volumeSize || after.TotalBytes < volumeSize*7/10 {
		t.Errorf("the file system has %d bytes on an image of %d", after.TotalBytes, volumeSize)
	}
	_, err = n.Usage(t.Context(), "v", n.dir)
	wantError(t, "usage where it is not", err, ErrNotFound)
}

// A stage that comes just before the other node has let go waits for it.
func TestLoopMounterStageWaitsForTheOtherNode(t *testing.T) {
	n, images := newNode(t)
	other := anotherNode(t, images)
	must(t, "stage", n.Stage(t.Context(), "v", n.staging(), StageOptions{}))
	time.AfterFunc(10*lockInterval, func() { _ = n.Unstage(context.WithoutCancel(t.Context()), "v", n.staging()) })
	must(t, "stage on the other node", other.Stage(t.Context(), "v", other.staging(), StageOptions{}))
}

// More volumes than the eight devices that a fresh /dev has, and all at once: every
// one wants the loop device that is free.
func TestManyLoopDevicesAtOnce(t *testing.T) {
	n, images := newNode(t)
	var group errgroup.Group
	for number := range 10 {
		id, path := fmt.Sprintf("many-%d", number), filepath.Join(n.dir, fmt.Sprint(number))
		must(t, "mkdir", os.Mkdir(path, 0o750))
		must(t, "create", images.Create(t.Context(), id, volumeSize))
		t.Cleanup(func() {
			if _, err := n.unmountAll(path); err != nil {
				t.Error(err)
			}
		})
		group.Go(func() error { return n.Stage(t.Context(), id, path, StageOptions{}) })
	}
	must(t, "stage", group.Wait())
}
