// SPDX-License-Identifier: Apache-2.0

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

// manner is a way in which a volume lives.
type manner struct {
	kind  Kind
	stage StageOptions
	// grown is a file system that was made before its image grew.
	grown bool
}

func manners() map[string]manner {
	return map[string]manner{
		"xfs":        {kind: Image},
		"block":      {kind: Image, stage: StageOptions{Block: true}},
		"dir":        {kind: Dir},
		"grown-xfs":  {kind: Image, grown: true},
		"grown-ext4": {kind: Image, stage: StageOptions{FSType: "ext4"}, grown: true},
	}
}

// life is all that happens to a volume on a node, in order.
func (m manner) life() []mounterCall {
	publish := PublishOptions{Block: m.stage.Block}
	all := []mounterCall{
		{"stage", func(ctx context.Context, on Mounter, id, staging, _ string) error {
			return on.Stage(ctx, id, staging, m.stage)
		}},
		{"publish", func(ctx context.Context, on Mounter, id, staging, target string) error {
			return on.Publish(ctx, id, staging, target, publish)
		}},
		{"expand", func(ctx context.Context, on Mounter, id, staging, _ string) error {
			_, err := on.Expand(ctx, id, staging)
			return err
		}},
		{"unpublish", func(ctx context.Context, on Mounter, id, _, target string) error {
			return on.Unpublish(ctx, id, target)
		}},
		{"unstage", func(ctx context.Context, on Mounter, id, staging, _ string) error {
			return on.Unstage(ctx, id, staging)
		}},
	}
	if m.grown {
		return []mounterCall{all[0], all[4]}
	}
	return all
}

// bytes is the size that the volume has in the end.
func (m manner) bytes() int64 {
	if m.grown {
		return 2 * volumeSize
	}
	return volumeSize
}

// newVolume makes a volume that lives in that manner.
func (m manner) newVolume(t *testing.T, data string) string {
	t.Helper()
	if m.kind == Dir {
		id, _ := createDir(t, openDirs(t, data), m.bytes())
		return id
	}
	images := openImages(t, data)
	id := createImage(t, images, Size{Bytes: volumeSize})
	if m.grown {
		n := anotherNode(t, images, "node")
		must(t, "stage", n.Stage(t.Context(), id, n.staging(), m.stage))
		must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
		must(t, "resize", images.Resize(t.Context(), id, Size{Bytes: m.bytes()}))
	}
	return id
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
	manner
	data, dir, id string
	mounter       Mounter
}

func newOnNode(t *testing.T, m manner) onNode {
	t.Helper()
	v := onNode{manner: m, data: t.TempDir(), dir: t.TempDir()}
	v.id = m.newVolume(t, v.data)
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
	return newMounter(v.kind, v.data, watch)
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
		if usage, err := v.mounter.Usage(t.Context(), v.id, v.staging()); err != nil || v.kind != Dir && usage.TotalBytes < v.bytes()*7/10 {
			t.Errorf("after %s, and %s, the volume has %d bytes (%v), want nearly %d", after, c.name, usage.TotalBytes, err, v.bytes())
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
