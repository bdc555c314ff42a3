// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// capabilitiesCase is the text of the cases about a driver's claimed capabilities.
const capabilitiesCase = "should return appropriate capabilities"

// removed are the values of capabilities that were removed from the specification, and that csi-sanity still accepts.
var removed = map[protoreflect.FullName]protoreflect.EnumNumber{
	"csi.v1.ControllerServiceCapability.RPC.Type": 11,
	"csi.v1.NodeServiceCapability.RPC.Type":       4,
}

// leaveOutUnknown removes capabilities from an answer that csi-sanity does not know. csi-sanity fails a driver for them,
// even in unrelated cases; but a driver of a later specification may claim capabilities that this one does not have, and a
// CO ignores them. The cases on capabilities warn.
func (r *run) leaveOutUnknown(ctx context.Context, response proto.Message) {
	var unknown []string
	switch a := response.(type) {
	case *csi.GetPluginCapabilitiesResponse:
		a.Capabilities, unknown = known(a.GetCapabilities())
	case *csi.ControllerGetCapabilitiesResponse:
		a.Capabilities, unknown = known(a.GetCapabilities())
	case *csi.NodeGetCapabilitiesResponse:
		a.Capabilities, unknown = known(a.GetCapabilities())
	case *csi.GroupControllerGetCapabilitiesResponse:
		a.Capabilities, unknown = known(a.GetCapabilities())
	}
	if len(unknown) > 0 && r.at == (place{r.last.rpc, capabilitiesCase}) && !r.warned {
		r.warned = true
		r.warn(ctx, "the driver claims capabilities that neither CSI %s nor csi-sanity %s knows, and that a CO ignores: %s", specVersion, version, strings.Join(unknown, ", "))
	}
}

// known returns the capabilities that csi-sanity knows, never nil, and the names of the others.
func known[Capability proto.Message](claimed []Capability) (kept []Capability, unknown []string) {
	kept = []Capability{}
	for _, c := range claimed {
		if name, isKnown := nameOf(c.ProtoReflect()); isKnown {
			kept = append(kept, c)
		} else {
			unknown = append(unknown, name)
		}
	}
	return kept, unknown
}

// nameOf returns the name of a capability, and whether this version of the specification has it. csi-sanity judges a
// capability without a type, unless its kind is not in this version.
func nameOf(capability protoreflect.Message) (name string, isKnown bool) {
	kind := capability.WhichOneof(capability.Descriptor().Oneofs().Get(0))
	if kind == nil {
		return "one of an unknown kind", len(capability.GetUnknown()) == 0
	}
	inner := capability.Get(kind).Message()
	field := inner.Descriptor().Fields().ByName("type")
	number := inner.Get(field).Enum()
	if value := field.Enum().Values().ByNumber(number); value != nil {
		return string(value.Name()), true
	}
	gone, isGone := removed[field.Enum().FullName()]
	return fmt.Sprintf("%s %d", kind.Name(), number), isGone && number == gone
}
