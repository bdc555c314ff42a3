// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

func TestDirsDelete(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, content := createDir(t, dirs, 4096)
	kept, _ := createDir(t, dirs, 4096)
	must(t, "fill", os.MkdirAll(filepath.Join(content, "a/b/c"), 0o755))
	outside := canary(t, "file", "dir/file")
	must(t, "link", os.Symlink(outside, filepath.Join(content, "out")))
	must(t, "leave something unfinished", os.MkdirAll(filepath.Join(dirs.data.Path, datadir.Volumes, datadir.Unfinished(id+".dir"), contentDir), 0o700))
	for range 2 {
		must(t, "delete", dirs.Delete(t.Context(), id))
	}
	if got := names(t, dirs.data.Path, datadir.Volumes); got != kept+".dir" {
		t.Errorf("there are %q, want the other volume alone", got)
	}
	if got := names(t, dirs.data.Path, datadir.Trash); got != "" {
		t.Errorf("the trash has %q", got)
	}
}

// TestDirsDeleteWithoutRights checks that files that the controller may not remove leave the volumes at once, and the
// disk when a node has emptied the trash.
func TestDirsDeleteWithoutRights(t *testing.T) {
	data := newDataDirOfNobody(t)
	var dirs *Provisioner
	id := newID(t, volume.Dir)
	content := filepath.Join(data, datadir.Volumes, id+".dir", contentDir)
	asNobody(t, func() {
		var err error
		dirs, err = Open(data, nil)
		wantError(t, "create", errors.Join(err, dirs.Create(context.Background(), id, volume.Size{Bytes: 4096}, volume.Origin{})), nil)
	})
	must(t, "mkdir", os.Mkdir(filepath.Join(content, "of root"), 0o700))
	write(t, filepath.Join(content, "of root", "f"), "")
	asNobody(t, func() {
		for range 2 {
			wantError(t, "delete", dirs.Delete(context.Background(), id), nil)
		}
	})
	if got := names(t, data, datadir.Volumes); got != "" {
		t.Errorf("there are the volumes %q", got)
	}
	if got := names(t, data, datadir.Trash); !strings.HasPrefix(got, id) {
		t.Errorf("the trash has %q, want the volume", got)
	}
	for range 2 {
		must(t, "empty the trash", NewMounter(volume.MounterConfig{DataDir: data}).EmptyTrash(t.Context()))
	}
	if got := names(t, data, datadir.Trash); got != "" {
		t.Errorf("the trash has %q", got)
	}
}

// TestDirsEmptyTrashKeepsWhatIsMounted checks that nothing is removed over a mount, nor
// while it is mounted elsewhere.
func TestDirsEmptyTrashKeepsWhatIsMounted(t *testing.T) {
	privileged.Need(t)
	outside := canary(t, "file")
	for _, test := range []struct {
		name  string
		mount func(t *testing.T, n dirNode, id, content string)
	}{
		{name: "something in it", mount: func(t *testing.T, _ dirNode, _, content string) {
			must(t, "mkdir", os.Mkdir(filepath.Join(content, "mnt"), 0o755))
			must(t, "mount", unix.Mount(outside, filepath.Join(content, "mnt"), "", unix.MS_BIND, ""))
		}},
		{name: "the volume itself", mount: func(t *testing.T, n dirNode, id, _ string) {
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dirs := openDirs(t, t.TempDir())
			t.Cleanup(func() { unmountBelow(t, dirs.data.Path) })
			n := newDirNode(t, dirs)
			id, content := createDir(t, dirs, 4096)
			other, _ := createDir(t, dirs, 4096)
			write(t, filepath.Join(content, "f"), "kept")
			test.mount(t, n, id, content)
			wantError(t, "delete", dirs.Delete(t.Context(), id), volume.ErrRefused)
			must(t, "delete the other one", dirs.Delete(t.Context(), other))
			wantError(t, "empty the trash", n.EmptyTrash(t.Context()), volume.ErrRefused)
			trashed := names(t, dirs.data.Path, datadir.Trash)
			if trashed != id+".dir.0" {
				t.Fatalf("the trash has %q, want the volume that is mounted", trashed)
			}
			wantContent(t, filepath.Join(dirs.data.Path, datadir.Trash, trashed, contentDir, "f"), "kept")
			unmountBelow(t, dirs.data.Path)
			unmountBelow(t, n.dir)
			must(t, "empty the trash", n.EmptyTrash(t.Context()))
			if got := names(t, dirs.data.Path, datadir.Trash); got != "" {
				t.Errorf("the trash has %q", got)
			}
		})
	}
}

func TestDirsEmptyTrashEndsWithItsCall(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	must(t, "fill the trash", os.Mkdir(filepath.Join(dirs.data.Path, datadir.Trash, "x"), 0o700))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := NewMounter(volume.MounterConfig{DataDir: dirs.data.Path})
	wantError(t, "empty the trash", m.EmptyTrash(ctx), context.Canceled)
	must(t, "empty the trash", m.EmptyTrash(t.Context()))
	must(t, "empty a trash that is not there", NewMounter(volume.MounterConfig{DataDir: t.TempDir()}).EmptyTrash(t.Context()))
	if err := NewMounter(volume.MounterConfig{DataDir: "/nowhere/at/all"}).EmptyTrash(t.Context()); err == nil {
		t.Error("the trash of a data directory that is not there was emptied")
	}
}

// TestDirsTrashHasRoom checks that the trash can hold several directories of the same name.
func TestDirsTrashHasRoom(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, content := createDir(t, dirs, 4096)
	must(t, "fill the trash", os.Mkdir(filepath.Join(dirs.data.Path, datadir.Trash, id+".dir.0"), 0o700))
	volumes, err := dirs.data.Dir(datadir.Volumes)
	must(t, "open", err)
	defer volumes.Close()
	must(t, "move to the trash", dirs.toTrash(volumes, id+".dir"))
	wantNoFile(t, content)
	if got := names(t, dirs.data.Path, datadir.Trash); got != id+".dir.0 "+id+".dir.1" {
		t.Errorf("the trash has %q", got)
	}
}
