// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
)

// noteImproper records an answer that no CO can read, or whose code gRPC does not define.
func (c connection) noteImproper(method string, request any, err error) {
	code := status.Code(err)
	found := health.Improper{Endpoint: c.name}
	switch {
	case code > codes.Unauthenticated:
		found.Clause, found.Problem = "GEN-09", fmt.Sprintf("the code is %d, which is not one of the canonical codes", int32(code)) //nolint:gosec // a negative code is sent as such a number
	case code == codes.Unknown && strings.Contains(status.Convert(err).Message(), "malformed grpc-status"):
		found.Clause, found.Problem = "GEN-09", "the code is not a number that a code can have: "+status.Convert(err).Message()
	case code == codes.Internal && isUnreadable(status.Convert(err).Message()):
		found.Clause, found.Problem = "GEN-08", "the answer is not a message of the specification: "+status.Convert(err).Message()
	default:
		return
	}
	found.RPC = describeCall(method, request)
	c.driver.health.NoteImproper(found)
}

// isUnreadable reports whether gRPC, at this end or at the driver's, could not decode an answer.
func isUnreadable(message string) bool {
	return strings.Contains(message, "failed to unmarshal the received message") || strings.Contains(message, "contains invalid UTF-8")
}

// isInvalid reports whether the request is one that no CO makes: a REQUIRED field is missing, or a number is negative.
// Such requests have crashed real drivers.
func isInvalid(request any) bool {
	message, isMessage := request.(proto.Message)
	return isMessage && isMessageInvalid(message.ProtoReflect())
}

func isMessageInvalid(m protoreflect.Message) bool {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		value := m.Get(field)
		switch {
		case isRequired(field.Name()) && !m.Has(field):
			return true
		case field.IsMap():
		case field.IsList() && field.Kind() == protoreflect.MessageKind:
			for j := range value.List().Len() {
				if isMessageInvalid(value.List().Get(j).Message()) {
					return true
				}
			}
		case field.IsList():
		case field.Kind() == protoreflect.MessageKind && m.Has(field):
			if isMessageInvalid(value.Message()) {
				return true
			}
		case field.Kind() == protoreflect.Int32Kind || field.Kind() == protoreflect.Int64Kind:
			if value.Int() < 0 {
				return true
			}
		}
	}
	return false
}

// isRequired reports whether fields of the name are REQUIRED in most requests, or are rarely missing.
func isRequired(name protoreflect.Name) bool {
	switch name {
	case "name", "volume_id", "snapshot_id", "source_volume_id", "node_id", "volume_capabilities", "volume_capability", "access_mode",
		"target_path", "volume_path":
		return true
	default:
		return false
	}
}
