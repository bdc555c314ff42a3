// SPDX-License-Identifier: Apache-2.0

package volume_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

// TestCallsGoToTheKindOfTheID checks that each call goes to the implementation for the kind of the id, and that ids of
// other kinds, or of none, are of no volume.
func TestCallsGoToTheKindOfTheID(t *testing.T) {
	ctx, memory, other := t.Context(), memory.New(), memory.New()
	provisioners := volume.Provisioners{volume.InMemory: memory, volume.Dir: other}
	mounters := volume.Mounters{volume.InMemory: memory, volume.Dir: other}
	ids := map[volume.Kind]string{}
	for _, kind := range []volume.Kind{volume.InMemory, volume.Image, volume.Dir} {
		id, err := volume.NewID(kind)
		if err != nil {
			t.Fatal(err)
		}
		ids[kind] = id
	}
	size := volume.Size{Bytes: 100}
	path := t.TempDir()
	target := filepath.Join(path, "target")
	life := []struct {
		name string
		call func(id string) error
		// never is true for a call that has nothing to do for such an id.
		never bool
	}{
		{name: "Create", call: func(id string) error { return provisioners.Create(ctx, id, size, volume.Origin{}) }},
		{name: "Resize", call: func(id string) error { return provisioners.Resize(ctx, id, size) }},
		{name: "Size", call: func(id string) error { return second(provisioners.Size(ctx, id)) }},
		{name: "Check", call: func(id string) error { return second(provisioners.Check(ctx, id, size)) }},
		{name: "CreateSnapshot", call: func(id string) error { return provisioners.CreateSnapshot(ctx, id, id) }},
		{name: "Stage", call: func(id string) error { return mounters.Stage(ctx, id, path, volume.StageOptions{}) }},
		{name: "Publish", call: func(id string) error { return mounters.Publish(ctx, id, path, target, volume.PublishOptions{}) }},
		{name: "Expand", call: func(id string) error { return second(mounters.Expand(ctx, id, path)) }},
		{name: "Usage", call: func(id string) error { return second(mounters.Usage(ctx, id, path)) }},
		{name: "CheckAt", call: func(id string) error { return second(mounters.CheckAt(ctx, id, path, target)) }},
		{name: "Unpublish", call: func(id string) error { return mounters.Unpublish(ctx, id, target) }},
		{name: "Unstage", call: func(id string) error { return mounters.Unstage(ctx, id, path) }},
		{name: "DeleteSnapshot", never: true, call: func(id string) error { return provisioners.DeleteSnapshot(ctx, id) }},
		{name: "Delete", never: true, call: func(id string) error { return provisioners.Delete(ctx, id) }},
	}
	for _, step := range life {
		if err := step.call(ids[volume.InMemory]); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if step.name == "Create" && (len(memory.IDs()) != 1 || len(other.IDs()) != 0) {
			t.Errorf("the volume was made in another kind: %v", other.IDs())
		}
		for _, id := range []string{ids[volume.Image], "v", "", "../" + ids[volume.InMemory]} {
			if err := step.call(id); step.never && err != nil || !step.never && !errors.Is(err, volume.ErrNotFound) {
				t.Errorf("%s of %q answered %v", step.name, id, err)
			}
		}
	}
	if len(memory.IDs())+len(memory.SnapshotIDs()) > 0 {
		t.Error("the volume or its snapshot is still there")
	}
	if _, err := os.Stat(target); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the target path is still there: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
