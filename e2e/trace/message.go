// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi" // registers the messages of CSI
	"github.com/kubernetes-csi/csi-lib-utils/protosanitizer"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/csi-topo/csi-topo/internal/foreign"
)

// messages holds the types of a method's messages; nil for unknown types.
type messages struct {
	request, response protoreflect.MessageType
}

// messagesOf finds the types of a method's messages by its full name.
func messagesOf(method string) messages {
	service, name, found := strings.Cut(strings.TrimPrefix(method, "/"), "/")
	if !found {
		return messages{}
	}
	descriptor, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
	if err != nil {
		return messages{}
	}
	known, ok := descriptor.(protoreflect.ServiceDescriptor)
	if !ok {
		return messages{}
	}
	m := known.Methods().ByName(protoreflect.Name(name))
	if m == nil {
		return messages{}
	}
	return messages{request: typeOf(m.Input()), response: typeOf(m.Output())}
}

func typeOf(descriptor protoreflect.MessageDescriptor) protoreflect.MessageType {
	found, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.FullName())
	if err != nil {
		return nil
	}
	return found
}

// decode reads one message, nil if its type is not known or its bytes are invalid.
func decode(t protoreflect.MessageType, data []byte) proto.Message {
	if t == nil {
		return nil
	}
	message := t.New().Interface()
	if err := proto.Unmarshal(data, message); err != nil {
		return nil
	}
	return message
}

// Sanitized returns a message in the form of recorded calls: an object without secrets, nil for no message. It keeps the
// keys of a map of secrets, such as the field secrets: they identify the secret, and are not secret themselves.
func Sanitized(message proto.Message) json.RawMessage {
	if message == nil {
		return nil
	}
	stripped := withoutTokens(json.RawMessage(protosanitizer.StripSecrets(message).String()))
	keys := secretKeys(message.ProtoReflect())
	if len(keys) == 0 {
		return stripped
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(stripped, &fields); err != nil {
		return stripped
	}
	for name, values := range keys {
		data, err := json.Marshal(values)
		if err != nil {
			return stripped
		}
		fields[name] = data
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return stripped
	}
	return data
}

// secretKeys returns the message's maps of secrets by their fields' names, with the values masked.
func secretKeys(message protoreflect.Message) map[string]map[string]string {
	found := map[string]map[string]string{}
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		if secret, ok := proto.GetExtension(field.Options(), csi.E_CsiSecret).(bool); !ok || !secret || !field.IsMap() {
			return true
		}
		keys := map[string]string{}
		value.Map().Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
			keys[key.String()] = foreign.Masked
			return true
		})
		found[field.TextName()] = keys
		return true
	})
	return found
}

// mostOfMessage is the number of bytes of a message in the record of a proxy.
const mostOfMessage = 1 << 20

// sanitizedAll returns several messages of one direction: an object for one message, an array for several.
func sanitizedAll(t protoreflect.MessageType, all [][]byte) (recorded json.RawMessage, size int) {
	var known []json.RawMessage
	for _, data := range all {
		object, whole := Recorded(decode(t, data), mostOfMessage, nil)
		size += whole
		if object != nil {
			known = append(known, object)
		}
	}
	switch len(known) {
	case 0:
		return nil, size
	case 1:
		return known[0], size
	}
	array, err := json.Marshal(known)
	if err != nil {
		array, _ = json.Marshal(fmt.Sprintf("%d messages: %v", len(known), err)) // a string always has a JSON form
	}
	return array, size
}
