// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// planted is a part of the data directory that is moved elsewhere unchanged, with a link to it in its place.
type planted struct {
	name string
	kind volume.Kind
	// part is its path below the data directory.
	part func(*world) string
	// hard makes the link a hard link instead of a symbolic link.
	hard bool
	// gone lists the requests that need the part, and are answered as if it did not exist: each an RPC, or "RPC n" for the
	// n-th of its valid requests. All others get OK.
	gone []string
	// stuck lists the requests that can neither finish nor undo their work, and get INTERNAL.
	stuck []string
}

// TestPlantedLinks checks that when a part of the data directory is replaced by a link to it, as an attacker might do to
// redirect root, each valid request is answered as if the part did not exist, and the target of the link does not change.
func TestPlantedLinks(t *testing.T) {
	privileged.NeedDisks(t)
	idle := func(ending string) func(*world) string {
		return func(w *world) string { return "volumes/" + w.idle + ending }
	}
	snapshot := func(ending string) func(*world) string {
		return func(w *world) string { return "snapshots/" + w.snapshot + ending }
	}
	at := func(path string) func(*world) string {
		return func(*world) string { return path }
	}
	// The requests that clone idle and restore the snapshot.
	const clone, restore = "CreateVolume 1", "CreateVolume 2"
	worlds := map[volume.Kind]*world{}
	for _, kind := range []volume.Kind{volume.Image, volume.Dir} {
		worlds[kind] = newDiskWorld(t, newTrap(t, memoryDir()), kind)
	}
	for _, test := range []planted{
		{name: "an image", kind: volume.Image, part: idle(".img"), gone: []string{clone, "CreateSnapshot", "CreateVolumeGroupSnapshot", "NodeStageVolume"}},
		{name: "an image, by a second name", kind: volume.Image, part: idle(".img"), hard: true, gone: []string{clone, "CreateSnapshot", "CreateVolumeGroupSnapshot", "NodeStageVolume"}},
		{name: "the image of a snapshot", kind: volume.Image, part: snapshot(".img"), gone: []string{restore, "GetMetadataAllocated", "GetMetadataDelta"}},
		{
			name: "the directory of images", kind: volume.Image, part: at("volumes"),
			gone:  []string{"CreateSnapshot", "CreateVolumeGroupSnapshot", "NodeStageVolume", "NodePublishVolume", "NodeGetVolumeStats", "NodeExpandVolume", "DeleteVolume"},
			stuck: []string{"CreateVolume"},
		},
		{name: "the directory of snapshots of images", kind: volume.Image, part: at("snapshots"), gone: []string{restore, "GetMetadataAllocated", "GetMetadataDelta", "DeleteSnapshot", "DeleteVolumeGroupSnapshot"}, stuck: []string{"CreateSnapshot", "CreateVolumeGroupSnapshot"}},

		{name: "a directory", kind: volume.Dir, part: idle(".dir"), gone: []string{clone, "CreateSnapshot", "CreateVolumeGroupSnapshot", "NodeStageVolume"}},
		{name: "what pods see of a directory", kind: volume.Dir, part: idle(".dir/data"), gone: []string{clone, "CreateSnapshot", "CreateVolumeGroupSnapshot", "NodeStageVolume"}},
		{name: "the size of a directory", kind: volume.Dir, part: idle(".dir/bytes"), gone: []string{clone, "CreateSnapshot", "CreateVolumeGroupSnapshot"}},
		{name: "the directory of a snapshot", kind: volume.Dir, part: snapshot(".dir"), gone: []string{restore}},
		{
			name: "the directory of directories", kind: volume.Dir, part: at("volumes"),
			gone:  []string{"CreateSnapshot", "CreateVolumeGroupSnapshot", "NodeStageVolume", "NodePublishVolume", "NodeGetVolumeStats", "NodeExpandVolume", "DeleteVolume"},
			stuck: []string{"CreateVolume"},
		},
		{name: "the directory of snapshots of directories", kind: volume.Dir, part: at("snapshots"), gone: []string{restore, "DeleteSnapshot", "DeleteVolumeGroupSnapshot"}, stuck: []string{"CreateSnapshot", "CreateVolumeGroupSnapshot"}},
		{name: "the trash", kind: volume.Dir, part: at("trash"), gone: []string{"DeleteSnapshot", "DeleteVolumeGroupSnapshot", "DeleteVolume"}, stuck: []string{"CreateVolume", "CreateSnapshot", "CreateVolumeGroupSnapshot"}},
	} {
		t.Run(test.name, func(t *testing.T) { test.try(t, worlds[test.kind]) })
	}
}

// try plants the link, sends every valid request, and puts the part back.
func (p planted) try(t *testing.T, w *world) {
	from, to := w.tree.path("data/"+p.part(w)), w.tree.path("outside/moved")
	must(t, "move", os.Rename(from, to))
	link := os.Symlink
	if p.hard {
		link = os.Link
	}
	must(t, "plant a link", link(to, from))
	// Mounted volumes may still be written to, wherever they are.
	mounted := func(path string) bool {
		return path == w.tree.path("data") || path == w.tree.path("node") || strings.Contains(path, w.published) || strings.Contains(path, w.mounted)
	}
	before := fingerprint(t, w.tree.root, mounted)
	for _, r := range sortByLifeCycle(rpcs()) {
		for n, request := range w.validRequests(r) {
			want := []codes.Code{codes.OK}
			is := func(list []string) bool {
				return slices.Contains(list, r.name) || slices.Contains(list, fmt.Sprintf("%s %d", r.name, n))
			}
			if is(p.gone) {
				want = refusal().want
			} else if is(p.stuck) {
				want = []codes.Code{codes.Internal}
			}
			_, err := w.call(t.Context(), r, request)
			if got := status.Convert(err); !slices.Contains(want, got.Code()) {
				t.Errorf("%s (%d) answered %s (%s), want one of %v", r.name, n, got.Code(), got.Message(), want)
			}
		}
	}
	wantSame(t, "following a planted link", before, fingerprint(t, w.tree.root, mounted))
	for _, at := range mountsBelow(t, w.tree.root) {
		if !strings.HasPrefix(at, w.tree.path("node")) {
			t.Errorf("something is mounted at %s", at)
		}
	}
	must(t, "remove the link", os.RemoveAll(from))
	if whole := !strings.Contains(p.part(w), "/"); whole {
		must(t, "move back", os.Rename(to, from))
	} else {
		must(t, "remove what was moved, whose volume was deleted", os.RemoveAll(to))
	}
	must(t, "set up the world again", w.setUp(t.Context()))
	for _, name := range p.stuck {
		for _, request := range w.validRequests(rpcNamed(t, name)) {
			_, err := w.send(t.Context(), name, request)
			must(t, "end what was stuck", err)
		}
	}
	must(t, "set up the world again", w.setUp(t.Context()))
}

// sortByLifeCycle sorts RPCs that remove something behind those that need it.
func sortByLifeCycle(all []rpc) []rpc {
	age := func(r rpc) int {
		return slices.Index([]string{
			"ControllerPublishVolume", "NodeStageVolume", "NodePublishVolume",
			"NodeUnpublishVolume", "NodeUnstageVolume", "ControllerUnpublishVolume", "DeleteVolumeGroupSnapshot", "DeleteSnapshot", "DeleteVolume",
		}, r.name)
	}
	slices.SortStableFunc(all, func(a, b rpc) int { return age(a) - age(b) })
	return all
}
