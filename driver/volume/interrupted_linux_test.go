// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// provisionerCall is a call that is cut off at each of its steps in turn.
type provisionerCall struct {
	name string
	call func(ctx context.Context, p Provisioner, known calls) error
	// steps that have to be among those that were taken.
	steps []string
}

// calls are ids: of a volume and a snapshot that are there, and of each that is not.
type calls struct{ volume, snapshot, newVolume, newSnapshot string }

func provisionerCalls(size Size) []provisionerCall {
	return []provisionerCall{
		{name: "create", call: func(ctx context.Context, p Provisioner, k calls) error {
			return p.Create(ctx, k.newVolume, size, Origin{})
		}, steps: []string{"make", "name", "sync names"}},
		{name: "clone", call: func(ctx context.Context, p Provisioner, k calls) error {
			return p.Create(ctx, k.newVolume, size, Origin{VolumeID: k.volume})
		}, steps: []string{"make", "copy", "name", "sync names"}},
		{name: "restore", call: func(ctx context.Context, p Provisioner, k calls) error {
			return p.Create(ctx, k.newVolume, size, Origin{SnapshotID: k.snapshot})
		}, steps: []string{"make", "copy", "name", "sync names"}},
		{name: "resize", call: func(ctx context.Context, p Provisioner, k calls) error {
			return p.Resize(ctx, k.volume, Size{Bytes: 2 * size.Bytes, Allocated: size.Allocated})
		}},
		{name: "snapshot", call: func(ctx context.Context, p Provisioner, k calls) error {
			return p.CreateSnapshot(ctx, k.newSnapshot, k.volume)
		}, steps: []string{"make", "copy", "name", "sync names"}},
		{name: "delete", call: func(ctx context.Context, p Provisioner, k calls) error { return p.Delete(ctx, k.volume) }, steps: []string{"sync names"}},
		{name: "delete snapshot", call: func(ctx context.Context, p Provisioner, k calls) error { return p.DeleteSnapshot(ctx, k.snapshot) }, steps: []string{"sync names"}},
	}
}

// A call that fails before or after any of its steps says so, and can be repeated:
// then all is as if it had not failed, and what was made can be removed whole.
func TestProvisionersAfterAFailureAtAnyStep(t *testing.T) {
	for _, kind := range []struct {
		kind Kind
		size Size
		open func(dir string, watch durable.Watch) (Provisioner, error)
	}{
		{Image, Size{Bytes: mebi, Allocated: true}, func(dir string, watch durable.Watch) (Provisioner, error) { return OpenImages(dir, watch) }},
		{Dir, Size{Bytes: mebi}, func(dir string, watch durable.Watch) (Provisioner, error) { return OpenDirs(dir, watch) }},
	} {
		for _, test := range provisionerCalls(kind.size) {
			for _, fault := range []error{syscall.ENOSPC, syscall.EIO} {
				t.Run(fmt.Sprintf("%s %s %v", kind.kind, test.name, fault), func(t *testing.T) {
					var steps []string
					for at := 0; ; at++ {
						dir := t.TempDir()
						sound, err := kind.open(dir, nil)
						must(t, "open", err)
						k := calls{newID(t, kind.kind), newID(t, kind.kind), newID(t, kind.kind), newID(t, kind.kind)}
						must(t, "create", sound.Create(t.Context(), k.volume, kind.size, Origin{}))
						must(t, "snapshot", sound.CreateSnapshot(t.Context(), k.snapshot, k.volume))

						watch, failed := failing(at, fault)
						faulty := faultyProvisioner(kind.kind, dir, watch)
						err = test.call(t.Context(), faulty, k)
						if failed() == "" {
							must(t, "a call without a failure", err)
							break
						}
						steps = append(steps, failed())
						wantError(t, "failing at "+failed(), err, fault)
						must(t, "repeated after failing at "+failed(), test.call(t.Context(), sound, k))
						wantSound(t, sound, test.name, k, kind.size, failed())
						for _, id := range []string{k.volume, k.newVolume} {
							must(t, "delete", sound.Delete(t.Context(), id))
						}
						for _, id := range []string{k.snapshot, k.newSnapshot} {
							must(t, "delete snapshot", sound.DeleteSnapshot(t.Context(), id))
						}
						wantEmpty(t, dir, failed())
					}
					for _, step := range test.steps {
						step = map[Kind]string{Image: "image: ", Dir: "dir: "}[kind.kind] + step
						if !slices.Contains(steps, step) || !slices.Contains(steps, step+" (taken)") {
							t.Errorf("the steps are %q, and %q is not among them, before and when it was taken", steps, step)
						}
					}
				})
			}
		}
	}
}

// faultyProvisioner is opened like that of a node, which makes nothing.
func faultyProvisioner(kind Kind, dir string, watch durable.Watch) Provisioner {
	if kind == Image {
		return ImagesAt(dir, watch)
	}
	return DirsAt(dir, watch)
}

// wantSound checks what there should be after the call.
func wantSound(t *testing.T, p Provisioner, call string, k calls, size Size, failed string) {
	t.Helper()
	want := map[string]Size{k.volume: size}
	switch call {
	case "create", "clone", "restore":
		want[k.newVolume] = size
	case "resize":
		want[k.volume] = Size{Bytes: 2 * size.Bytes, Allocated: size.Allocated}
	case "delete":
		delete(want, k.volume)
	}
	for id, size := range want {
		if problems, err := p.Check(t.Context(), id, size); err != nil || len(problems) > 0 {
			t.Errorf("after failing at %q, volume %s has the problems %+v (%v)", failed, id, problems, err)
		}
	}
	if call == "delete" {
		if problems, err := p.Check(t.Context(), k.volume, size); err != nil || len(problems) != 1 || problems[0].Severity != DataLoss {
			t.Errorf("after failing at %q, the volume that was deleted is %+v (%v)", failed, problems, err)
		}
	}
}

// wantEmpty checks that nothing is left of volumes and snapshots.
func wantEmpty(t *testing.T, data, failed string) {
	t.Helper()
	for _, dir := range []string{volumesDir, snapshotsDir, trashDir} {
		entries, err := os.ReadDir(filepath.Join(data, dir))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
		for _, entry := range entries {
			t.Errorf("failing at %q left %s/%s", failed, dir, entry.Name())
		}
	}
}

func TestOpeningFailsAtAnyStep(t *testing.T) {
	for at := 0; ; at++ {
		watch, failed := failing(at, syscall.EIO)
		data := filepath.Join(t.TempDir(), "data")
		_, err := OpenDirs(data, watch)
		if failed() == "" {
			must(t, "open without a failure", err)
			return
		}
		wantError(t, "open, failing at "+failed(), err, syscall.EIO)
		openDirs(t, data)
		openImages(t, data)
	}
}
