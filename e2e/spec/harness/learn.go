// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// learn finds segments if neither a node endpoint nor the profile names any: the segments from which a few plain volumes,
// which exist together, are accessible according to CreateVolume. The driver chooses them, because the requests name none.
// There may be others.
func learn(ctx context.Context, target *Target, health *health.Health, c *claims) model.Set {
	d := connect(target, health, "topologies")
	d.know(c)
	constrained := d.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)
	if len(d.Room.Segments) > 0 || !constrained || !d.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
		return nil
	}
	const most = 4 // as many as the specification's examples have
	ctx = attempt.Tolerant(ctx)
	var learnt model.Set
	for more := true; more && len(learnt) < most; {
		volume, err := d.Controller.CreateVolume(ctx, d.CreateVolumeRequest(d.Volume(1)))
		if err != nil {
			break // the cases judge whether it may be refused
		}
		known := len(learnt)
		learnt = withTerms(learnt, messages.Segments(volume.GetVolume().GetAccessibleTopology()))
		more = len(learnt) > known
	}
	d.removeOrLeave(ctx)
	return learnt
}

// withTerms returns the segments, followed by the terms that are not among them and have the same keys.
func withTerms(segments, terms model.Set) model.Set {
	for _, term := range terms {
		alike := len(segments) == 0 || slices.Equal(keysOf(term), keysOf(segments[0]))
		if len(term) > 0 && alike && !segments.Contains(term) {
			segments = append(segments, term)
		}
	}
	return segments
}

func keysOf(segment model.Segment) []string {
	return slices.Sorted(maps.Keys(segment))
}
