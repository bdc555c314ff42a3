// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// NodeGetStorageHealth returns the problems of the storage that this node sees, without those of single volumes; an empty
// list if there are none.
func (n *Node) NodeGetStorageHealth(ctx context.Context, _ *csi.NodeGetStorageHealthRequest) (*csi.NodeGetStorageHealthResponse, error) {
	problems, err := n.volumes.CheckStorage(ctx)
	if err != nil {
		return nil, nodeStatus(err)
	}
	var ofStorage []volume.Problem
	for _, p := range problems {
		if p.Severity == volume.DataLoss {
			p.Severity = volume.Inaccessible // CSI has only two error types for storage
		}
		ofStorage = append(ofStorage, p)
	}
	response := &csi.NodeGetStorageHealthResponse{}
	for _, p := range mergeRepeated(ofStorage) {
		health := csi.StorageHealthErrorType_STORAGE_DEGRADED
		if p.Severity == volume.Inaccessible {
			health = csi.StorageHealthErrorType_STORAGE_UNREACHABLE
		}
		// volume_capability stays empty: a problem of the storage affects all of them.
		response.BackendHealth = append(response.BackendHealth, &csi.NodeGetStorageHealthResponse_StorageBackendHealth{
			Status:  health,
			Reason:  p.Reason,
			Message: shortened(p.Message, stringLimit),
		})
	}
	return response, nil
}
