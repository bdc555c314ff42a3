// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"k8s.io/klog/v2"
)

// Texts that no log may have.
const (
	secret     = "xyzzy"
	mountFlag  = "token=plugh,42"
	quotedFlag = `say="frotz"`
	markupFlag = "say=<rezrov>&"
)

// TestSecretsStayOutOfEverything calls every RPC that has a field for secrets or
// for mount flags. The service tells all it knows: it logs its request and fails
// with it, or answers.
func TestSecretsStayOutOfEverything(t *testing.T) {
	for _, outcome := range []struct {
		name string
		err  func(request any) error
		want codes.Code
	}{
		{"answered", func(any) error { return nil }, codes.OK},
		{"refused", func(request any) error { return status.Errorf(codes.Internal, "%v %q", request, mountFlags(request)) }, codes.Internal},
		{"refused without a status", func(request any) error { return fmt.Errorf("mount: %w %v", context.Canceled, mountFlags(request)) }, codes.Canceled},
		{"panicked", func(request any) error { panic(fmt.Sprint(request)) }, codes.Internal},
	} {
		server := serve(t, func(s *grpc.Server) {
			for _, name := range []protoreflect.Name{"Controller", "Node"} {
				s.RegisterService(serviceOf(t, name, func(ctx context.Context, request, response any) (any, error) {
					logger := klog.FromContext(ctx).WithName(string(name)).WithValues("flags", mountFlags(request))
					text := fmt.Sprint(request)
					logger.V(10).Info("text "+text, "text", text, "request", request, "flags", mountFlags(request), "number", 7)
					logger.Error(fmt.Errorf("mount -o %s", strings.Join(mountFlags(request), ",")), "text "+text)
					logger.Error(nil, "no error")
					return response, outcome.err(request)
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
				mustNotTell(t, fmt.Sprintf("the answer of %s, %s", method.Name(), outcome.name), fmt.Sprint(err))
			}
		}
		if err := server.stop(); err != nil {
			t.Fatal(err)
		}
		mustNotTell(t, "the log of calls "+outcome.name, server.log.String())
		for _, want := range []string{`"msg":"text `, `"number":7`, "stripped"} {
			if !strings.Contains(server.log.String(), want) {
				t.Errorf("the log does not have %s:\n%s", want, server.log)
			}
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

func mountFlags(request any) []string {
	var flags []string
	if r, ok := request.(interface{ GetVolumeCapability() *csi.VolumeCapability }); ok {
		flags = append(flags, r.GetVolumeCapability().GetMount().GetMountFlags()...)
	}
	return flags
}

// requestWithSecrets returns a request with a secret and mount flags wherever it
// has a field for such; false if it has none for secrets.
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

// serviceOf describes a CSI service whose RPCs are all handled by handle.
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

func TestMountFlagsAreFoundInAnswersAndOnlyAsWords(t *testing.T) {
	capability := &csi.VolumeCapability{AccessType: &csi.VolumeCapability_Mount{
		Mount: &csi.VolumeCapability_MountVolume{MountFlags: []string{"ro", "token=plugh", "token=plugh,42"}},
	}}
	const text = `no room for "ro" in -o ro,token=plugh,42,token=plugh; the root is elsewhere`
	server := serve(t, func(s *grpc.Server) { csi.RegisterControllerServer(s, validating{refusal: text}) })
	controller := csi.NewControllerClient(server)
	_, err := controller.ValidateVolumeCapabilities(t.Context(), &csi.ValidateVolumeCapabilitiesRequest{VolumeCapabilities: []*csi.VolumeCapability{capability}})
	const want = `no room for "***stripped***" in -o ***stripped***,***stripped***,***stripped***; the root is elsewhere`
	if got := status.Convert(err).Message(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// More than any valid request has: the text is withheld, and the driver stays up.
	capability.GetMount().MountFlags = append(capability.GetMount().MountFlags, strings.Repeat("x", 64<<10))
	_, err = controller.ValidateVolumeCapabilities(t.Context(), &csi.ValidateVolumeCapabilitiesRequest{VolumeCapabilities: []*csi.VolumeCapability{capability}})
	if got := status.Convert(err); got.Code() != codes.FailedPrecondition || got.Message() != "***stripped***: the mount flags take more than 65536 bytes" {
		t.Errorf("got %v", err)
	}

	confirmed, err := controller.ValidateVolumeCapabilities(t.Context(), &csi.ValidateVolumeCapabilitiesRequest{VolumeId: "v", VolumeCapabilities: []*csi.VolumeCapability{capability}})
	if err != nil || len(confirmed.GetConfirmed().GetVolumeCapabilities()[0].GetMount().GetMountFlags()) != 4 {
		t.Errorf("the caller gets %v, %v, want what it asked for", confirmed, err)
	}
	if err := server.stop(); err != nil {
		t.Fatal(err)
	}
	mustNotTell(t, "the log", server.log.String())
}

// validating confirms everything for a volume that is named, and refuses with a text otherwise.
type validating struct {
	refusal string
	csi.ControllerServer
}

func (v validating) ValidateVolumeCapabilities(_ context.Context, r *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
	if r.GetVolumeId() == "" {
		return nil, status.Error(codes.FailedPrecondition, v.refusal)
	}
	return &csi.ValidateVolumeCapabilitiesResponse{Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{
		VolumeCapabilities: r.GetVolumeCapabilities(),
	}}, nil
}
