package volume

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// mounterCall is one call of a life on a node.
type mounterCall struct {
	name string
	call func(ctx context.Context, m Mounter, id, staging, target string) error
}

// life is all that happens to a volume on a node, in order. Of an ext4 only stage is
// in it: the rest is as with XFS.
func life(o StageOptions) []mounterCall {
	publish := PublishOptions{Block: o.Block}
	all := []mounterCall{
		{"stage", func(ctx context.Context, m Mounter, id, staging, _ string) error { return m.Stage(ctx, id, staging, o) }},
		{"publish", func(ctx context.Context, m Mounter, id, staging, target string) error {
			return m.Publish(ctx, id, staging, target, publish)
		}},
		{"expand", func(ctx context.Context, m Mounter, id, staging, _ string) error {
			_, err := m.Expand(ctx, id, staging)
			return err
		}},
		{"unpublish", func(ctx context.Context, m Mounter, id, _, target string) error { return m.Unpublish(ctx, id, target) }},
		{"unstage", func(ctx context.Context, m Mounter, id, staging, _ string) error { return m.Unstage(ctx, id, staging) }},
	}
	if o.FSType == "ext4" {
		return []mounterCall{all[0], all[4]}
	}
	return all
}

// newVolume makes a volume that lives in that manner. An ext4 has been made, and
// has an image that grew since.
func newVolume(t *testing.T, manner, data string) string {
	t.Helper()
	if manner == "dir" {
		id, _ := createDir(t, openDirs(t, data), mebi)
		return id
	}
	images := openImages(t, data)
	id := createImage(t, images, Size{Bytes: 64 * mebi})
	if manner == "ext4" {
		n := anotherNode(t, images, "node")
		must(t, "stage", n.Stage(t.Context(), id, n.staging(), StageOptions{FSType: "ext4"}))
		must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
	}
	must(t, "resize", images.Resize(t.Context(), id, Size{Bytes: volumeSize}))
	return id
}

// manners are the ways in which a volume lives.
func manners() map[string]StageOptions {
	return map[string]StageOptions{"xfs": {}, "ext4": {FSType: "ext4"}, "block": {Block: true}, "dir": {}}
}

func newMounter(kind Kind, data string, watch durable.Watch) Mounter {
	config := MounterConfig{NodeID: "node", Watch: watch}
	if kind == Dir {
		return NewDirMounter(DirsAt(data, watch), config)
	}
	return NewLoopMounter(ImagesAt(data, watch), config)
}

// onNode is a volume on a node, both made for one try.
type onNode struct {
	manner, data, dir, id string
	mounter               Mounter
}

func newOnNode(t *testing.T, manner string) onNode {
	t.Helper()
	v := onNode{manner: manner, data: t.TempDir(), dir: t.TempDir()}
	v.id = newVolume(t, manner, v.data)
	v.mounter = v.watched(nil)
	must(t, "make the staging path", os.Mkdir(v.staging(), 0o750))
	t.Cleanup(func() {
		unmountBelow(t, v.dir)
		detachBelow(t, v.data)
	})
	return v
}

func (v onNode) staging() string { return filepath.Join(v.dir, "staging") }
func (v onNode) target() string  { return filepath.Join(v.dir, "target") }

func (v onNode) watched(watch durable.Watch) Mounter {
	kind, _ := KindOf(v.id)
	return newMounter(kind, v.data, watch)
}

// live makes the calls, and looks at what they are about to have done.
func (v onNode) live(t *testing.T, calls []mounterCall, after string) {
	t.Helper()
	for _, c := range calls {
		if err := c.call(t.Context(), v.mounter, v.id, v.staging(), v.target()); err != nil {
			t.Fatalf("%s, after %s: %v", c.name, after, err)
		}
		if c.name != "stage" && c.name != "publish" {
			continue
		}
		problems, err := v.mounter.CheckAt(t.Context(), v.id, v.staging(), "")
		if err != nil || len(problems) > 0 && problems[0].Reason != "NoProjectQuota" {
			t.Errorf("after %s, and %s, there is wrong: %+v (%v)", after, c.name, problems, err)
		}
		if usage, err := v.mounter.Usage(t.Context(), v.id, v.staging()); err != nil || v.manner != "dir" && usage.TotalBytes < volumeSize*7/10 {
			t.Errorf("after %s, and %s, the volume has %d bytes (%v), want nearly %d", after, c.name, usage.TotalBytes, err, volumeSize)
		}
	}
}

// wantGone checks that nothing is left of the volume on the node.
func (v onNode) wantGone(t *testing.T, after string) {
	t.Helper()
	wantNoFile(t, v.target())
	if left := names(t, v.dir, "staging"); left != "" {
		t.Errorf("after %s the staging path holds %q", after, left)
	}
	if mounts := mountsBelow(t, v.dir); len(mounts) > 0 {
		t.Errorf("after %s there are mounts at %v", after, mounts)
	}
	wantDetached(t, v.data)
}
