// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
)

// stats asks for the usage of the volume at a path where it is published, or was.
func (s *sequence) stats(ctx context.Context, v *volume, a *attachment, path int) call {
	at := &a.mounts[path]
	there := a.node.Exists(ctx, at.request.GetTargetPath())
	request := &csi.NodeGetVolumeStatsRequest{
		VolumeId: at.request.GetVolumeId(), VolumePath: at.request.GetTargetPath(), StagingTargetPath: at.request.GetStagingTargetPath(),
	}
	return callOf(a.node.NodeGetVolumeStats, request, func(_ context.Context, response *csi.NodeGetVolumeStatsResponse, err error) outcome {
		o := outcomeOf(fmt.Sprintf("NodeGetVolumeStats of %s at %s%s", v.name, a.node, nameOf(path)), err)
		switch {
		case at.done:
			o.ok(err, "NV-02", "volume_path is where the volume is published")
		case there:
			o.open() // what NodeUnpublishVolume leaves there is for other cases to judge
		default:
			o.state = "the volume is not published at the path, and nothing is there"
			o.refused(err, "NV-04", "the volume is not at volume_path: NOT_FOUND", codes.NotFound)
		}
		if err == nil && at.done {
			o.judgeUsage(response.GetUsage())
		}
		return o
	})
}

// judgeUsage notes what is wrong with the usage of a published volume.
func (o *outcome) judgeUsage(usage []*csi.VolumeUsage) {
	for _, u := range usage {
		if u.GetTotal() < 0 || u.GetUsed() < 0 || u.GetAvailable() < 0 {
			o.wrong("NV-03", "no figure of a usage is negative: %s", u)
		}
		if u.GetUnit() == csi.VolumeUsage_BYTES && u.GetTotal() == 0 {
			o.wrong("NV-03", "total is set in the usage in bytes")
		}
	}
}
