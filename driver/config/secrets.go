// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Secrets are the secrets that calls must carry: by RPC, such as "CreateVolume",
// the keys and the values they must have.
type Secrets map[string]map[string]string

// UnmarshalYAML reads secrets and checks them. The decoder's own errors quote
// what they found, so none of them gets out of here.
func (s *Secrets) UnmarshalYAML(node *yaml.Node) error {
	var byRPC map[string]yaml.Node
	if err := node.Decode(&byRPC); err != nil {
		return &yaml.TypeError{Errors: []string{at(node.Line, "secrets are not in the form that is wanted: RPC: {key: value}, each RPC once")}}
	}
	*s = Secrets{}
	known := rpcsWithSecrets()
	var problems []string
	for _, rpc := range slices.Sorted(maps.Keys(byRPC)) {
		required := byRPC[rpc]
		if !slices.Contains(known, rpc) {
			problems = append(problems, at(required.Line, "secrets for %q: no such RPC carries secrets, want one of %s", rpc, strings.Join(known, ", ")))
			continue
		}
		values, err := keysAndValues(&required)
		if err != nil {
			problems = append(problems, at(required.Line, "secrets for %s: %v", rpc, err))
			continue
		}
		(*s)[rpc] = values
	}
	if len(problems) > 0 {
		return &yaml.TypeError{Errors: problems}
	}
	return nil
}

func keysAndValues(node *yaml.Node) (map[string]string, error) {
	var values map[string]string
	if err := node.Decode(&values); err != nil {
		return nil, errors.New("want key: value, each key once and each value a text")
	}
	if len(values) == 0 {
		return nil, errors.New("want at least one key and its value, or leave the RPC out")
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if key == "" || values[key] == "" {
			return nil, fmt.Errorf("key %q and its value: want both not to be empty", key)
		}
	}
	return values, nil
}

// rpcsWithSecrets returns the names of the Controller and Node RPCs whose requests
// have a field for secrets, as the CSI protocol defines them.
func rpcsWithSecrets() []string {
	var found []string
	for _, name := range []protoreflect.Name{"Controller", "Node"} {
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
