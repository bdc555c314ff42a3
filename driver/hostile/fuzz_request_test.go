// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// anyTrap replaces the directory of the trap in the inputs of a fuzzer, because that directory has another name in every
// run.
const anyTrap = "/trap"

// decode decodes a request from the wire, and reports whether that succeeds: gRPC refuses any other bytes.
func decode(r rpc, wire []byte) (proto.Message, bool) {
	request, err := message(r.method.Input())
	return request, err == nil && proto.Unmarshal(wire, request) == nil
}

// forFuzzer returns the world with anyTrap as its directory.
func (w *fuzzWorld) forFuzzer() *world {
	anywhere := *w.world
	anywhere.tree = trap{root: anyTrap}
	return &anywhere
}

// know replaces the names in a request by existing names, so that they are not always the reason for a refusal.
func (w *fuzzWorld) know(request proto.Message) {
	known := []struct {
		ending string
		names  []string
	}{
		{"volume_id", []string{idleID, publishedID, mountedID, imageID, dirID, spreadID, goldID}},
		{"group_snapshot_id", []string{groupID}},
		{"snapshot_id", []string{snapshotID}},
		{"node_id", []string{nodeID, "node-2"}},
		{"staging_target_path", []string{w.publishedStaging(), w.mountedStaging(), w.idleStaging()}},
		{"_path", []string{w.mountedTarget(), w.publishedTarget(), w.mountedStaging()}},
	}
	for _, f := range fieldsOf(request) {
		for _, k := range known {
			if strings.HasSuffix(f.path, k.ending) {
				given := f.get(request.ProtoReflect())
				f.put(request.ProtoReflect(), k.names[len(given)%len(k.names)])
				break
			}
		}
	}
}

// contain keeps every path of a request within the trap, whatever the driver does with it: the test must not harm the
// machine.
func (w *fuzzWorld) contain(request proto.Message) {
	for _, f := range fieldsOf(request) {
		if !strings.HasSuffix(f.path, "_path") {
			continue
		}
		// Each step up is preceded by a step down, so that no number of them leads out.
		path := strings.ReplaceAll(f.get(request.ProtoReflect()), "..", "node/..")
		if below, found := strings.CutPrefix(path, anyTrap+"/"); found {
			path = w.tree.root + "/" + below
		} else if filepath.IsAbs(path) && !strings.HasPrefix(path, w.tree.root+"/") {
			path = w.tree.path("node") + path
		}
		f.put(request.ProtoReflect(), path)
	}
}

// Secrets in a request. Seeds do not contain them, or a fuzzer would put them into fields that are not secret.
const (
	fuzzSecret = "plugh-is-the-password"
	secretFlag = "password=plugh" // see CSI spec, MountVolume.mount_flags
)

// plant puts a secret wherever a request may have one.
func plant(request proto.Message) {
	if secrets := request.ProtoReflect().Descriptor().Fields().ByName("secrets"); secrets != nil {
		request.ProtoReflect().Mutable(secrets).Map().Set(protoreflect.ValueOfString("password").MapKey(), protoreflect.ValueOfString(fuzzSecret))
	}
	for _, f := range fieldsOf(request) {
		// Mount flags are replaced but not added: the volumes of the world are staged without them.
		if strings.HasSuffix(f.path, ".mount_flags") && f.get(request.ProtoReflect()) != "" {
			f.put(request.ProtoReflect(), secretFlag)
		}
	}
}
