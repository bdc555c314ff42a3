// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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
			o.judgeTotal(v, a, path, response.GetUsage())
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

// judgeTotal notes what is wrong with the total size at the path, where it is as before the volume grew, though the node has told before
// that the volume has grown at its other path.
func (o *outcome) judgeTotal(v *volume, a *attachment, path int, usage []*csi.VolumeUsage) {
	at := slices.IndexFunc(usage, func(u *csi.VolumeUsage) bool { return u.GetUnit() == csi.VolumeUsage_BYTES })
	if at < 0 {
		return
	}
	m := &a.mounts[path]
	m.totals = append(m.totals, total{v.bytes, usage[at].GetTotal()})
	for other, grown := range a.mounts {
		if grown.done && grown.grownBy(v.bytes) > 0 && grown.last() > m.last() && m.grownBy(v.bytes) == 0 {
			o.wrong("NV-03", "total is %d bytes%s, as before the volume grew, and was %d%s since", m.last(), onPath(path), grown.last(), onPath(other))
		}
	}
}

func onPath(path int) string { return cmp.Or(nameOf(path), " at the first target path") }

// total is the size in bytes that a node told of a path, while the volume had so many bytes.
type total struct{ volume, told int64 }

func (m mounting) last() int64 { return m.totals[len(m.totals)-1].told }

// grownBy is by how many bytes more is told of the path, now that the volume has that size, than before it grew; -1 where nothing
// was told before and now.
func (m mounting) grownBy(now int64) int64 {
	n := len(m.totals)
	if n < 2 || m.totals[n-1].volume != now || m.totals[0].volume >= now {
		return -1
	}
	return m.last() - m.totals[0].told
}
