// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/requirement/ledger"
)

func versioned() []Driver {
	return []Driver{{
		Name: "csi-1.5", Is: "implements CSI 1.5: newer calls are UNIMPLEMENTED, and newer fields unknown to it",
		Driver: mutation.Driver{Profile: exactDisks, Fault: olderThan("1.6").Over(mutation.Lacking(since16()...))},
	}}
}

// since16 returns the capabilities that were added in CSI 1.6 or later.
func since16() []protoreflect.Enum {
	return []protoreflect.Enum{
		csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE,
		csi.PluginCapability_Service_SNAPSHOT_METADATA_SERVICE,
		csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS,
		csi.ControllerServiceCapability_RPC_MODIFY_VOLUME,
		csi.ControllerServiceCapability_RPC_GET_SNAPSHOT,
		csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH,
		csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH,
		csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH,
		csi.NodeServiceCapability_RPC_GET_STORAGE_HEALTH,
	}
}

// olderThan returns a driver that was built with an earlier version: gRPC refuses RPCs of the given version or a later one,
// and their fields are neither read nor sent.
func olderThan(csi string) mutation.Fault {
	unknown := newerSymbols(csi)
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		if unknown["rpc "+path.Base(call.Method)] {
			service := strings.TrimPrefix(path.Dir(call.Method), "/")
			return nil, status.Errorf(codes.Unimplemented, "unknown method %s for service %s", path.Base(call.Method), service)
		}
		request := proto.Clone(call.Request)
		drop(request.ProtoReflect(), unknown)
		response, err := call.With(request).Perform(ctx)
		if err == nil {
			drop(response.ProtoReflect(), unknown)
		}
		return response, err
	})
}

// newerSymbols returns the RPCs and fields of the version and later ones.
func newerSymbols(csi string) map[string]bool {
	history, err := ledger.RecordedHistory()
	if err != nil {
		panic(err.Error()) // it is embedded
	}
	found := map[string]bool{}
	for _, version := range requirement.Versions()[slices.Index(requirement.Versions(), csi):] {
		for _, symbol := range history.Symbols[version] {
			found[symbol] = true
		}
	}
	return found
}

// drop removes the unknown fields of a message, and of all messages in it.
func drop(m protoreflect.Message, unknown map[string]bool) {
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case unknown[strings.TrimPrefix(string(field.FullName()), "csi.v1.")]:
			m.Clear(field)
		case field.IsMap() || field.Message() == nil:
		case field.IsList():
			for i := range value.List().Len() {
				drop(value.List().Get(i).Message(), unknown)
			}
		default:
			drop(value.Message(), unknown)
		}
		return true
	})
}
