// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"context"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Texts that must not appear in the log.
const (
	secret     = "xyzzy"
	mountFlag  = "token=plugh,42"
	quotedFlag = `say="frotz"`
	markupFlag = "say=<rezrov>&"
)

// TestRequestsAreLoggedWithoutSecrets checks the log of every RPC that has a field for secrets, and its mount flags if it
// has a field for them too.
func TestRequestsAreLoggedWithoutSecrets(t *testing.T) {
	for _, outcome := range []struct {
		name string
		err  error
		want codes.Code
	}{
		{"answered", nil, codes.OK},
		{"refused", status.Error(codes.Internal, "it broke"), codes.Internal},
	} {
		server := serve(t, func(s *grpc.Server) {
			for _, name := range []protoreflect.Name{"Controller", "Node"} {
				s.RegisterService(serviceOf(t, name, func(ctx context.Context, request, response any) (any, error) {
					return response, outcome.err
				}), nil)
			}
		})
		var called []string
		for _, name := range []protoreflect.Name{"Controller", "Node"} {
			methods := csi.File_csi_proto.Services().ByName(name).Methods()
			for i := range methods.Len() {
				method := methods.Get(i)
				request, hasSecrets := requestWithSecrets(t, method.Input())
				if !hasSecrets {
					continue
				}
				called = append(called, string(method.Name()))
				err := server.Invoke(t.Context(), "/"+string(method.Parent().FullName())+"/"+string(method.Name()), request, newMessage(t, method.Output()))
				if status.Code(err) != outcome.want {
					t.Errorf("%s, %s: got %v", method.Name(), outcome.name, err)
				}
			}
		}
		if err := server.stop(); err != nil {
			t.Fatal(err)
		}
		mustNotTell(t, "the log of calls "+outcome.name, server.log.String())
		if !strings.Contains(server.log.String(), "stripped") {
			t.Errorf("the log does not have the requests:\n%s", server.log)
		}
		if got := strings.Join(called, " "); !strings.Contains(got, "CreateVolume") || !strings.Contains(got, "NodeExpandVolume") || len(called) < 13 {
			t.Errorf("only these were called: %s", got)
		}
	}
}

func mustNotTell(t *testing.T, what, text string) {
	t.Helper()
	for _, forbidden := range []string{secret, mountFlag, "plugh", "frotz", "rezrov"} {
		if strings.Contains(text, forbidden) {
			t.Errorf("%s has %q:\n%s", what, forbidden, text)
		}
	}
}

// requestWithSecrets returns a request with a secret and mount flags in all of its fields for them; false if it has no
// field for secrets.
func requestWithSecrets(t *testing.T, of protoreflect.MessageDescriptor) (proto.Message, bool) {
	t.Helper()
	request := newMessage(t, of)
	fields := of.Fields()
	field := fields.ByName("secrets")
	if field == nil {
		return nil, false
	}
	request.ProtoReflect().Mutable(field).Map().Set(protoreflect.ValueOfString("password").MapKey(), protoreflect.ValueOfString(secret))
	capability := (&csi.VolumeCapability{AccessType: &csi.VolumeCapability_Mount{
		Mount: &csi.VolumeCapability_MountVolume{MountFlags: []string{"", "ro", mountFlag, quotedFlag, markupFlag}},
	}}).ProtoReflect()
	if field := fields.ByName("volume_capability"); field != nil {
		request.ProtoReflect().Set(field, protoreflect.ValueOfMessage(capability))
	}
	if field := fields.ByName("volume_capabilities"); field != nil {
		request.ProtoReflect().Mutable(field).List().Append(protoreflect.ValueOfMessage(capability))
	}
	return request, true
}

func newMessage(t *testing.T, of protoreflect.MessageDescriptor) proto.Message {
	t.Helper()
	message, err := protoregistry.GlobalTypes.FindMessageByName(of.FullName())
	if err != nil {
		t.Fatal(err)
	}
	return message.New().Interface()
}

// serviceOf returns the description of a CSI service whose RPCs are all handled by handle.
func serviceOf(t *testing.T, name protoreflect.Name, handle func(ctx context.Context, request, response any) (any, error)) *grpc.ServiceDesc {
	t.Helper()
	of := csi.File_csi_proto.Services().ByName(name)
	described := &grpc.ServiceDesc{ServiceName: string(of.FullName()), HandlerType: (*any)(nil)}
	for i := range of.Methods().Len() {
		method := of.Methods().Get(i)
		described.Methods = append(described.Methods, grpc.MethodDesc{
			MethodName: string(method.Name()),
			Handler: func(_ any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
				request := newMessage(t, method.Input())
				if err := decode(request); err != nil {
					return nil, err
				}
				info := &grpc.UnaryServerInfo{FullMethod: "/" + string(of.FullName()) + "/" + string(method.Name())}
				return intercept(ctx, request, info, func(ctx context.Context, request any) (any, error) {
					return handle(ctx, request, newMessage(t, method.Output()))
				})
			},
		})
	}
	return described
}
