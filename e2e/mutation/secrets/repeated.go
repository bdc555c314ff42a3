// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// login is the key at which a context has a secret.
const login = "login"

// repeatedInMessages makes a driver that repeats the wrong password in its message.
func repeatedInMessages() mutation.Fault {
	return refusing("password", func(wrong string) error { return status.Errorf(codes.Unauthenticated, "no login with %q", wrong) })
}

// repeatedInVolumeContext makes a driver that keeps the login of CreateVolume for later calls.
func repeatedInVolumeContext() mutation.Fault {
	return mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
		if v.VolumeContext == nil {
			v.VolumeContext = map[string]string{}
		}
		v.VolumeContext[login] = "user:" + r.GetSecrets()["password"]
	}).And(takingLogin())
}

// repeatedInPublishContext makes a driver that gives the login to the node.
func repeatedInPublishContext() mutation.Fault {
	return mutation.Answering(func(r *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse) {
		if response.PublishContext == nil {
			response.PublishContext = map[string]string{}
		}
		response.PublishContext[login] = r.GetSecrets()["password"]
	}).And(takingLogin())
}

// takingLogin makes a driver that takes the key back in calls that pass it on.
func takingLogin() mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		request := proto.Clone(call.Request)
		if r, has := request.(interface{ GetVolumeContext() map[string]string }); has {
			delete(r.GetVolumeContext(), login)
		}
		if r, has := request.(interface{ GetPublishContext() map[string]string }); has {
			delete(r.GetPublishContext(), login)
		}
		return call.With(request).Perform(ctx)
	})
}
