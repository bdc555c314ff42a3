// SPDX-License-Identifier: Apache-2.0

package config

import (
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Secrets are the secrets that calls must carry: by RPC, such as "CreateVolume",
// the keys and the values they must have.
type Secrets map[string]map[string]string

// check returns the errors of the secrets, without the secrets themselves.
func (s Secrets) check(path *field.Path) field.ErrorList {
	known := rpcsWithSecrets()
	var problems field.ErrorList
	for _, rpc := range slices.Sorted(maps.Keys(s)) {
		if !slices.Contains(known, rpc) {
			problems = append(problems, field.NotSupported(path, rpc, known))
		}
		if len(s[rpc]) == 0 {
			problems = append(problems, field.Required(path.Child(rpc), "want at least one key and its value, or leave the RPC out"))
		}
		for _, key := range slices.Sorted(maps.Keys(s[rpc])) {
			if key == "" || s[rpc][key] == "" {
				problems = append(problems, field.Required(path.Child(rpc).Key(key), "want neither the key nor its value to be empty"))
			}
		}
	}
	return problems
}

// rpcsWithSecrets returns the names of the RPCs whose requests
// have a field for secrets, as the CSI protocol defines them.
func rpcsWithSecrets() []string {
	var found []string
	for _, name := range []protoreflect.Name{"Controller", "GroupController", "SnapshotMetadata", "Node"} {
		methods := csi.File_csi_proto.Services().ByName(name).Methods()
		for i := range methods.Len() {
			if carriesSecrets(methods.Get(i).Input()) {
				found = append(found, string(methods.Get(i).Name()))
			}
		}
	}
	return found
}

func carriesSecrets(request protoreflect.MessageDescriptor) bool {
	fields := request.Fields()
	for i := range fields.Len() {
		if secret, ok := proto.GetExtension(fields.Get(i).Options(), csi.E_CsiSecret).(bool); ok && secret {
			return true
		}
	}
	return false
}
