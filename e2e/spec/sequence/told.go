// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// compareTold compares a call's report of a volume with the known state. The clause is about reports of that call. The call
// may omit OPTIONAL fields.
func (o *outcome) compareTold(v *volume, told *csi.Volume, clause string) {
	switch bytes := told.GetCapacityBytes(); {
	case bytes < 0:
		o.wrong("VOL-02", "capacity_bytes must not be negative, and for %s it is %d", v.name, bytes)
	case !v.told || bytes == 0 || bytes == v.bytes:
	case v.grown && !v.unsure:
		o.wrong("CE-13", "%s has grown to %d bytes, and has %d", v.name, v.bytes, bytes)
	default:
		o.regret(clause, "%s has %d bytes, as was answered before, and has %d", v.name, v.bytes, bytes)
	}
	switch got := told.GetVolumeContext(); {
	case maps.Equal(got, v.context):
	case len(got) == 0:
		o.regret("VOL-12", "the volume_context of %s is left out, which is %s", v.name, describe.Map(v.context))
	default:
		o.wrong("VOL-12", "a volume always reports the same volume_context, and %s had %s and has %s", v.name, describe.Map(v.context), describe.Map(got))
	}
	if made, now := messages.Segments(v.topology), messages.Segments(told.GetAccessibleTopology()); !now.Equal(made) {
		o.regret(clause, "CreateVolume answered that %s is accessible from %s, and now it is from %s", v.name, made, now)
	}
	if from := told.GetContentSource(); from != nil && v.from != nil && !proto.Equal(from, v.from) {
		o.regret("VS-01", "CreateVolume answered that %s was created from {%s}, and now it is from {%s}", v.name, v.from, from)
	}
}

// comparePublished compares published_node_ids with the nodes that the volume is published to. The clause is about reports
// of that call.
func (s *sequence) comparePublished(o *outcome, v *volume, told []string, clause string) {
	if !s.driver.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
		return
	}
	for _, a := range v.on {
		switch {
		case !a.published:
		case slices.Contains(told, a.node.ID):
			s.learned.tellsNodes = true
		case a.outlasts && s.learned.tellsNodes:
			o.wrong("CU-10", "%s was unpublished from another node, is still published to %s, and published_node_ids are %q", v.name, a.node, told)
		default:
			o.wrong(clause, "%s is published to %s, and published_node_ids are %q", v.name, a.node, told)
		}
	}
	published := v.nodes()
	for _, id := range told {
		if !slices.ContainsFunc(published, func(n *harness.Node) bool { return n.ID == id }) {
			o.regret("LV-07", "%s is not published to %q, and published_node_ids are %q", v.name, id, told)
		}
	}
}
