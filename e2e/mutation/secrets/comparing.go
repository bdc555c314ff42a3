// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"
	"maps"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// comparing makes a driver that takes the secrets for part of what is made, or of how a volume is published or staged.
func comparing() mutation.Fault {
	type where struct{ method, volume, place string }
	var mu sync.Mutex
	before := map[where]map[string]string{}
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		var place string
		switch r := call.Request.(type) {
		case *csi.CreateVolumeRequest:
			place = r.GetName()
		case *csi.CreateSnapshotRequest:
			place = r.GetName()
		case *csi.ControllerPublishVolumeRequest:
			place = r.GetNodeId()
		case *csi.NodeStageVolumeRequest:
			place = r.GetStagingTargetPath()
		case *csi.NodePublishVolumeRequest:
			place = r.GetTargetPath()
		default:
			return call.Perform(ctx)
		}
		r := call.Request.(interface{ GetSecrets() map[string]string })
		volume := ""
		if of, has := call.Request.(interface{ GetVolumeId() string }); has {
			volume = of.GetVolumeId()
		}
		mu.Lock()
		defer mu.Unlock()
		at := where{call.Method, volume, place}
		if secrets, done := before[at]; done && !maps.Equal(secrets, r.GetSecrets()) {
			return nil, status.Error(codes.AlreadyExists, "the volume is there with other secrets")
		}
		response, err := call.Perform(ctx)
		if err == nil {
			before[at] = r.GetSecrets()
		}
		return response, err
	})
}
