// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	// StringBytes is the limit of a string in bytes, unless its field has another.
	StringBytes = 128
	// MapBytes is the limit of a map in bytes, keys and values together.
	MapBytes = 4 << 10

	nodeIDBytes = 256
)

// Oversized returns the fields of a message that are larger than allowed: 128 bytes for a string, 256 for an id of a
// node (NI-09), 4 KiB for a map, and 4 KiB for all mount_flags together.
func Oversized(message proto.Message) []string {
	var found []string
	message.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		found = append(found, oversizedField(field, value)...)
		return true
	})
	return found
}

func oversizedField(field protoreflect.FieldDescriptor, value protoreflect.Value) []string {
	var found []string
	atMost := func(most, size int) {
		if size > most {
			found = append(found, fmt.Sprintf("%s has %d bytes and may have %d", field.FullName(), size, most))
		}
	}
	single := func(value protoreflect.Value) {
		switch field.Kind() {
		case protoreflect.StringKind:
			atMost(limitOf(field), len(value.String()))
		case protoreflect.MessageKind:
			found = append(found, Oversized(value.Message().Interface())...)
		}
	}
	switch {
	case field.IsMap():
		atMost(MapBytes, sizeOfMap(value.Map()))
	case field.IsList() && field.Name() == "mount_flags":
		atMost(MapBytes, sizeOfList(value.List()))
	case field.IsList():
		for i := range value.List().Len() {
			single(value.List().Get(i))
		}
	default:
		single(value)
	}
	return found
}

func limitOf(field protoreflect.FieldDescriptor) int {
	if name := field.Name(); name == "node_id" || name == "published_node_ids" {
		return nodeIDBytes
	}
	return StringBytes
}

// sizeOfMap returns the size of the keys and values of a map in bytes.
func sizeOfMap(entries protoreflect.Map) int {
	size := 0
	entries.Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
		size += len(key.String()) + len(value.String())
		return true
	})
	return size
}

// sizeOfList returns the size of the strings of a list in bytes.
func sizeOfList(entries protoreflect.List) int {
	size := 0
	for i := range entries.Len() {
		size += len(entries.Get(i).String())
	}
	return size
}
