// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
)

func FuzzGetPluginInfo(f *testing.F)         { fuzz(f, "GetPluginInfo") }
func FuzzGetPluginCapabilities(f *testing.F) { fuzz(f, "GetPluginCapabilities") }
func FuzzProbe(f *testing.F)                 { fuzz(f, "Probe") }

func FuzzCreateVolume(f *testing.F)               { fuzz(f, "CreateVolume") }
func FuzzDeleteVolume(f *testing.F)               { fuzz(f, "DeleteVolume") }
func FuzzControllerPublishVolume(f *testing.F)    { fuzz(f, "ControllerPublishVolume") }
func FuzzControllerUnpublishVolume(f *testing.F)  { fuzz(f, "ControllerUnpublishVolume") }
func FuzzValidateVolumeCapabilities(f *testing.F) { fuzz(f, "ValidateVolumeCapabilities") }
func FuzzListVolumes(f *testing.F)                { fuzz(f, "ListVolumes") }
func FuzzControllerListVolumeHealth(f *testing.F) { fuzz(f, "ControllerListVolumeHealth") }
func FuzzControllerGetVolumeHealth(f *testing.F)  { fuzz(f, "ControllerGetVolumeHealth") }
func FuzzGetCapacity(f *testing.F)                { fuzz(f, "GetCapacity") }
func FuzzControllerGetCapabilities(f *testing.F)  { fuzz(f, "ControllerGetCapabilities") }
func FuzzCreateSnapshot(f *testing.F)             { fuzz(f, "CreateSnapshot") }
func FuzzDeleteSnapshot(f *testing.F)             { fuzz(f, "DeleteSnapshot") }
func FuzzListSnapshots(f *testing.F)              { fuzz(f, "ListSnapshots") }
func FuzzGetSnapshot(f *testing.F)                { fuzz(f, "GetSnapshot") }
func FuzzControllerExpandVolume(f *testing.F)     { fuzz(f, "ControllerExpandVolume") }
func FuzzControllerGetVolume(f *testing.F)        { fuzz(f, "ControllerGetVolume") }
func FuzzControllerModifyVolume(f *testing.F)     { fuzz(f, "ControllerModifyVolume") }

func FuzzGroupControllerGetCapabilities(f *testing.F) { fuzz(f, "GroupControllerGetCapabilities") }
func FuzzCreateVolumeGroupSnapshot(f *testing.F)      { fuzz(f, "CreateVolumeGroupSnapshot") }
func FuzzDeleteVolumeGroupSnapshot(f *testing.F)      { fuzz(f, "DeleteVolumeGroupSnapshot") }
func FuzzGetVolumeGroupSnapshot(f *testing.F)         { fuzz(f, "GetVolumeGroupSnapshot") }

func FuzzGetMetadataAllocated(f *testing.F) { fuzz(f, "GetMetadataAllocated") }
func FuzzGetMetadataDelta(f *testing.F)     { fuzz(f, "GetMetadataDelta") }

func FuzzNodeStageVolume(f *testing.F)      { fuzz(f, "NodeStageVolume") }
func FuzzNodeUnstageVolume(f *testing.F)    { fuzz(f, "NodeUnstageVolume") }
func FuzzNodePublishVolume(f *testing.F)    { fuzz(f, "NodePublishVolume") }
func FuzzNodeUnpublishVolume(f *testing.F)  { fuzz(f, "NodeUnpublishVolume") }
func FuzzNodeGetVolumeStats(f *testing.F)   { fuzz(f, "NodeGetVolumeStats") }
func FuzzNodeGetVolumeHealth(f *testing.F)  { fuzz(f, "NodeGetVolumeHealth") }
func FuzzNodeGetStorageHealth(f *testing.F) { fuzz(f, "NodeGetStorageHealth") }
func FuzzNodeExpandVolume(f *testing.F)     { fuzz(f, "NodeExpandVolume") }
func FuzzNodeGetCapabilities(f *testing.F)  { fuzz(f, "NodeGetCapabilities") }
func FuzzNodeGetInfo(f *testing.F)          { fuzz(f, "NodeGetInfo") }

// fuzz fuzzes one RPC. An input consists of a request in wire format, or a valid one if the bytes are empty; of changes
// to it (see editor); and of a flag whether ids and paths are replaced by existing ones (see know).
//
// The driver is in the same state before each input, so that a kept input has the same result again.
func fuzz(f *testing.F, name string) {
	var r rpc
	for _, candidate := range rpcs() {
		if candidate.name == name {
			r = candidate
		}
	}
	w := newFuzzWorld(f)
	anywhere := w.forFuzzer()
	words := anywhere.vocabulary()
	anywhere.seed(f, r)
	fresh := false
	f.Fuzz(func(t *testing.T, wire, edits []byte, known bool) {
		request, ok := decode(r, wire)
		switch {
		case ok:
		case len(edits) == 0:
			return
		default: // to get on with the edits
			valid := anywhere.validRequests(r)
			request = valid[len(wire)%len(valid)]
		}
		if !fresh {
			w.renew(t)
		}
		(&editor{bytes: edits, vocabulary: words}).edit(request.ProtoReflect())
		if known {
			w.know(request)
		}
		w.contain(request)
		plant(request)
		fresh = !w.check(t, r, request) && !t.Failed()
	})
}

// editedSeeds is the number of edited seeds for each valid request.
const editedSeeds = 48

// seed adds the valid requests: each as it is, with hostile values in its fields, and
// with edits that are the same in every run.
func (w *world) seed(f *testing.F, r rpc) {
	f.Helper()
	for _, request := range w.validRequests(r) {
		wire := func(request proto.Message) []byte {
			encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(request)
			must(f, "encode a seed", err)
			return encoded
		}
		f.Add(wire(request), []byte(nil), false)
		for _, at := range fieldsOf(request) {
			for _, v := range values(w.tree) {
				if v.wild {
					f.Add(wire(at.with(request, v.text)), []byte(nil), false)
				}
			}
		}
		for n := range editedSeeds {
			random := rand.NewChaCha8([32]byte{byte(n)})
			edits := make([]byte, 4+n%24)
			_, _ = random.Read(edits)
			f.Add(wire(request), edits, n%4 == 0)
		}
	}
}

// TestEveryRPCIsFuzzed checks that every RPC of the services has a fuzz target.
func TestEveryRPCIsFuzzed(t *testing.T) {
	text, err := os.ReadFile("fuzz_test.go")
	must(t, "read the targets", err)
	var targets []string
	for line := range strings.Lines(string(text)) {
		targets = append(targets, strings.Join(strings.Fields(line), " ")) // which gofmt aligns
	}
	for _, r := range rpcs() {
		want := fmt.Sprintf("func Fuzz%s(f *testing.F) { fuzz(f, %q) }", r.name, r.name)
		if !slices.Contains(targets, want) {
			t.Errorf("%s has no target: add %s", r.name, want)
		}
	}
}
