// SPDX-License-Identifier: Apache-2.0

package general

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	stringBytes = 128
	nodeIDBytes = 256
	mapBytes    = 4 << 10
)

// oversized says which fields of a message are larger than they may be: a string has 128 bytes at most, an id of a node 256
// (NI-09), and a map 4 KiB.
func oversized(message proto.Message) []string {
	var found []string
	message.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		found = append(found, oversizedField(field, value)...)
		return true
	})
	return found
}

func oversizedField(field protoreflect.FieldDescriptor, value protoreflect.Value) []string {
	var found []string
	single := func(value protoreflect.Value) {
		switch field.Kind() {
		case protoreflect.StringKind:
			if size, most := len(value.String()), limitOf(field); size > most {
				found = append(found, fmt.Sprintf("%s has %d bytes and may have %d", field.FullName(), size, most))
			}
		case protoreflect.MessageKind:
			found = append(found, oversized(value.Message().Interface())...)
		}
	}
	switch {
	case field.IsMap():
		if size := sizeOf(value.Map()); size > mapBytes {
			found = append(found, fmt.Sprintf("%s has %d bytes and may have %d", field.FullName(), size, mapBytes))
		}
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
	return stringBytes
}

// sizeOf returns how many bytes the keys and values of a map have.
func sizeOf(entries protoreflect.Map) int {
	size := 0
	entries.Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
		size += len(key.String()) + len(value.String())
		return true
	})
	return size
}
