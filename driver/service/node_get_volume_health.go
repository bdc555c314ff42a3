// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// NodeGetVolumeHealth returns the problems of a volume as this node sees it, at the paths where it is or should be; an
// empty list if there are none. It returns NOT_FOUND for an unknown volume. It waits for a call that is mounting or
// unmounting the volume, whose unfinished work would look like a problem.
func (n *Node) NodeGetVolumeHealth(ctx context.Context, r *csi.NodeGetVolumeHealthRequest) (*csi.NodeGetVolumeHealthResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if err := checkOptionalPath("volume_publish_path", r.GetVolumePublishPath()); err != nil {
		return nil, err
	}
	if err := checkOptionalPath("staging_target_path", r.GetStagingTargetPath()); err != nil {
		return nil, err
	}
	if err := requireOurs(r.GetVolumeId()); err != nil {
		return nil, err
	}
	unlock, err := n.locks.lock(ctx, r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	defer unlock()
	problems, err := n.volumes.CheckAt(ctx, r.GetVolumeId(), r.GetStagingTargetPath(), r.GetVolumePublishPath())
	if err != nil {
		return nil, nodeStatus(err)
	}
	return &csi.NodeGetVolumeHealthResponse{VolumeHealth: healthOf(r.GetVolumeId(), mergeRepeated(problems))}, nil
}

// mergeRepeated merges problems with the same severity and reason into one with all their messages: a response may
// contain only one (CSI spec, VolumeHealthEntry).
func mergeRepeated(problems []volume.Problem) []volume.Problem {
	type identity struct {
		severity volume.Severity
		reason   string
	}
	var unique []volume.Problem
	places := map[identity]int{}
	for _, p := range problems {
		place, seen := places[identity{p.Severity, p.Reason}]
		if !seen {
			places[identity{p.Severity, p.Reason}] = len(unique)
			unique = append(unique, p)
			continue
		}
		if unique[place].Message != p.Message {
			unique[place].Message += "; " + p.Message
		}
	}
	return unique
}
