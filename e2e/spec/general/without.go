package general

import (
	"context"
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// without is a copy of the request that lacks one field. The field is named as in the specification; a dot goes into a
// message, and into the first one of a list: volume_capabilities.access_mode.
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

// inside is the message that a field of another one holds, the first one of a list.
func inside(message protoreflect.Message, name string) protoreflect.Message {
	descriptor := field(message, name)
	if descriptor.IsList() {
		return message.Mutable(descriptor).List().Get(0).Message()
	}
	return message.Mutable(descriptor).Message()
}

// field panics for a name that the message does not have: it is the case that is wrong.
func field(message protoreflect.Message, name string) protoreflect.FieldDescriptor {
	found := message.Descriptor().Fields().ByName(protoreflect.Name(name))
	if found == nil {
		panic(fmt.Sprintf("%s has no field %q", message.Descriptor().FullName(), name))
	}
	return found
}

// asksFor expects a call to be refused when any one of the fields is missing from a request that is otherwise right. Nothing
// must have changed in the driver.
func asksFor[Request proto.Message, Response any](ctx context.Context, under *harness.Driver,
	rpc func(context.Context, Request, ...grpc.CallOption) (Response, error), complete Request, fields ...string,
) {
	ginkgo.GinkgoHelper()
	changed := under.Changes(ctx, func() {
		for _, missing := range fields {
			_, err := rpc(ctx, without(complete, missing))
			gomega.Expect(err).To(harness.BeRefused(
				fmt.Sprintf("%s is REQUIRED: %s without it is INVALID_ARGUMENT (GEN-11)", missing, complete.ProtoReflect().Descriptor().Name()),
				codes.InvalidArgument))
		}
	})
	gomega.Expect(changed).To(gomega.BeEmpty(), "a call without a field that is REQUIRED does nothing (GEN-11)")
}
