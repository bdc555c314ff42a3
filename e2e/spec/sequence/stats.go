// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
)

// stats reads the usage of the volume at a path where it is published, or was.
func (s *sequence) stats(ctx context.Context, v *volume, a *attachment, path int) call {
	at := &a.mounts[path]
	there := a.node.Exists(ctx, at.request.GetTargetPath())
	request := &csi.NodeGetVolumeStatsRequest{
		VolumeId: at.request.GetVolumeId(), VolumePath: at.request.GetTargetPath(), StagingTargetPath: at.request.GetStagingTargetPath(),
	}
	return call{request: request, late: []late{{effect.NodeGrowth, func(got answer) bool { return got.broken }}}, send: func(ctx context.Context) answer {
		response, err := a.node.NodeGetVolumeStats(ctx, request)
		askHealth(ctx, a.node, request)
		small := err == nil && at.done && v.staysSmall(response.GetUsage())
		return answer{err: err, broken: small, judge: func(context.Context) outcome {
			o := outcomeOf(fmt.Sprintf("NodeGetVolumeStats of %s at %s%s", v.name, a.node, nameOf(path)), err)
			switch {
			case at.done:
				o.ok(err, "NV-02", "volume_path is where the volume is published")
			case there:
				o.open() // other cases judge the leftovers of NodeUnpublishVolume
			default:
				o.state = "the volume is not published at the path, and nothing is there"
				o.refused(err, "NV-04", "the volume is not at volume_path: NOT_FOUND", codes.NotFound)
			}
			if err == nil && at.done {
				o.judgeUsage(response.GetUsage())
				o.judgeTotal(v, a, path, response.GetUsage())
			}
			if small {
				o.wrong("CE-15", "node_expansion_required is true while the volume is no larger on the node than the %d bytes from which it grew to %d, and the last answer was false", v.ungrown, v.bytes)
			}
			return o
		}}
	}}
}

// askHealth asks the node for the health of the volume and of its storage, if it claims to report that. The answers are
// judged only by the rules for all answers, for the whole run.
func askHealth(ctx context.Context, node *harness.Node, of *csi.NodeGetVolumeStatsRequest) {
	ctx = attempt.Tolerant(ctx)
	if node.Claims(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH) {
		_, _ = node.NodeGetVolumeHealth(ctx, &csi.NodeGetVolumeHealthRequest{
			VolumeId: of.GetVolumeId(), VolumePublishPath: of.GetVolumePath(), StagingTargetPath: of.GetStagingTargetPath(),
		})
	}
	if node.Claims(csi.NodeServiceCapability_RPC_GET_STORAGE_HEALTH) {
		_, _ = node.NodeGetStorageHealth(ctx, &csi.NodeGetStorageHealthRequest{})
	}
}

// staysSmall reports whether the file system is no larger than before the volume grew, though no node has to expand it. A volume
// that grew by little does not show that: its file system needs some room for itself.
func (v *volume) staysSmall(usage []*csi.VolumeUsage) bool {
	total, told := totalOf(usage)
	isBlock := v.is.use == Device || v.is.use == SharedDevice
	return told && total > 0 && total <= v.ungrown && v.alone && v.bytes >= v.ungrown+v.ungrown/2 && !isBlock
}

// totalOf returns the total size in bytes of a usage, if one is reported.
func totalOf(usage []*csi.VolumeUsage) (bytes int64, told bool) {
	at := slices.IndexFunc(usage, func(u *csi.VolumeUsage) bool { return u.GetUnit() == csi.VolumeUsage_BYTES })
	if at < 0 {
		return 0, false
	}
	return usage[at].GetTotal(), true
}

// judgeUsage records the faults of the usage of a published volume.
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

// judgeTotal records a fault if the total size at the path is still the one from before the volume grew, though the node has
// already reported a larger size at another path.
func (o *outcome) judgeTotal(v *volume, a *attachment, path int, usage []*csi.VolumeUsage) {
	bytes, told := totalOf(usage)
	if !told {
		return
	}
	m := &a.mounts[path]
	m.totals = append(m.totals, total{v.bytes, bytes})
	for other, grown := range a.mounts {
		if grown.done && grown.isToldOf(v.bytes) && grown.last() > m.last() && m.grownBy(v.bytes) == 0 {
			o.wrong("NV-03", "total is %d bytes%s, as before the volume grew, and was %d%s since", m.last(), onPath(path), grown.last(), onPath(other))
		}
	}
}

func onPath(path int) string { return cmp.Or(nameOf(path), " at the first target path") }

// total is the size in bytes that a node reported for a path, and the size of the volume at the time.
type total struct{ volume, told int64 }

func (m mounting) last() int64 { return m.totals[len(m.totals)-1].told }

// isToldOf reports whether the driver has reported statistics of the path while the volume had that size.
func (m mounting) isToldOf(now int64) bool {
	return len(m.totals) > 0 && m.totals[len(m.totals)-1].volume == now
}

// grownBy returns the number of bytes by which the reported size at the path has grown since the volume grew to that size;
// -1 if the size was not reported before and after.
func (m mounting) grownBy(now int64) int64 {
	n := len(m.totals)
	if n < 2 || !m.isToldOf(now) || m.totals[0].volume >= now {
		return -1
	}
	return m.last() - m.totals[0].told
}
