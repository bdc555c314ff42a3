// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// login is the key at which a context has a secret.
const login = "login"

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
