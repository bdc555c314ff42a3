// SPDX-License-Identifier: Apache-2.0

package general

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// without returns a copy of the request that lacks one field. The field is named as in the specification; a dot goes into a
// message, and into the first one of a list: volume_capabilities.access_mode. For a oneof, such as access_type, the field
// that is set is removed.
func without[Request proto.Message](request Request, path string) Request {
	copied := proto.CloneOf(request)
	message := copied.ProtoReflect()
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		message = inside(message, name)
	}
	message.Clear(field(message, names[len(names)-1]))
	return copied
}

// inside returns the message that a field of another one holds, the first one of a list.
func inside(message protoreflect.Message, name string) protoreflect.Message {
	descriptor := field(message, name)
	if descriptor.IsList() {
		return message.Mutable(descriptor).List().Get(0).Message()
	}
	return message.Mutable(descriptor).Message()
}

// field returns the field of that name, or the one that is set in a oneof. It panics for a name that the message does not
// have, and for a oneof that is not set: then the case is wrong.
func field(message protoreflect.Message, name string) protoreflect.FieldDescriptor {
	found := message.Descriptor().Fields().ByName(protoreflect.Name(name))
	if choice := message.Descriptor().Oneofs().ByName(protoreflect.Name(name)); choice != nil {
		found = message.WhichOneof(choice)
	}
	if found == nil {
		panic(fmt.Sprintf("%s has no field %q", message.Descriptor().FullName(), name))
	}
	return found
}
