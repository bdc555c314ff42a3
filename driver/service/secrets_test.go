// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/service"
)

func TestRequireSecrets(t *testing.T) {
	required := map[string]string{"user": "admin", "password": "xyzzy"}
	for _, test := range []struct {
		name     string
		required map[string]string // of DeleteVolume
		given    map[string]string
		want     string // message of UNAUTHENTICATED; "" means OK
	}{
		{name: "what is required", required: required, given: map[string]string{"user": "admin", "password": "xyzzy"}},
		{name: "more than is required", required: required, given: map[string]string{"user": "admin", "password": "xyzzy", "realm": "R1"}},
		{name: "nothing where nothing is required"},
		{name: "something where nothing is required", given: map[string]string{"user": "somebody"}},
		{
			name: "nothing", required: required,
			want: `DeleteVolume needs other secrets than the call carries: "password" is missing, "user" is missing`,
		},
		{
			name: "one of two", required: required, given: map[string]string{"user": "admin"},
			want: `DeleteVolume needs other secrets than the call carries: "password" is missing`,
		},
		{
			name: "a wrong value", required: required, given: map[string]string{"user": "admin", "password": "plugh"},
			want: `DeleteVolume needs other secrets than the call carries: "password" has the wrong value`,
		},
		{
			name: "a part of the value", required: required, given: map[string]string{"user": "admin", "password": "xyzz"},
			want: `DeleteVolume needs other secrets than the call carries: "password" has the wrong value`,
		},
		{
			name: "values the other way round", required: required, given: map[string]string{"user": "xyzzy", "password": "admin"},
			want: `DeleteVolume needs other secrets than the call carries: "password" has the wrong value, "user" has the wrong value`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := serve(t, registerDeleting, grpc.ChainUnaryInterceptor(service.RequireSecrets(func(rpc string) map[string]string {
				return map[string]map[string]string{"DeleteVolume": test.required}[rpc]
			})))
			controller := csi.NewControllerClient(server)
			_, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "v", Secrets: test.given})
			want := codes.OK
			if test.want != "" {
				want = codes.Unauthenticated
			}
			if got := status.Convert(err); got.Code() != want || got.Message() != test.want {
				t.Errorf("got %v, want %s: %s", err, want, test.want)
			}
			// An RPC that requires no secrets, and one whose request has no field for them.
			if _, err := controller.CreateVolume(t.Context(), &csi.CreateVolumeRequest{}); status.Code(err) != codes.Unimplemented {
				t.Errorf("another RPC gets %v, want to reach the service", err)
			}
			if _, err := controller.ListVolumes(t.Context(), &csi.ListVolumesRequest{}); status.Code(err) != codes.Unimplemented {
				t.Errorf("an RPC without secrets gets %v, want to reach the service", err)
			}
		})
	}
}

func TestRequiredSecretsAreAskedForOnEachCall(t *testing.T) {
	required := map[string]string{}
	server := serve(t, registerDeleting, grpc.ChainUnaryInterceptor(service.RequireSecrets(func(string) map[string]string { return required })))
	controller := csi.NewControllerClient(server)
	for _, want := range []codes.Code{codes.OK, codes.Unauthenticated} {
		if _, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "v"}); status.Code(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
		required = map[string]string{"password": "xyzzy"}
	}
}
