// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
)

// attachingBeside returns the cases about a volume that is requested for two nodes in different access modes: the second
// would break the promise to the first.
func attachingBeside() []harness.Case {
	var cases []harness.Case
	for _, second := range []struct {
		id, text string
		mode     csi.VolumeCapability_AccessMode_Mode
	}{
		{"attach_single_node_beside", "should refuse to attach a volume in a single-node access mode while it is attached to another node", csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		{"attach_single_writer_beside", "should refuse to attach a volume for a single writer while another node writes to it", csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER},
	} {
		cases = append(cases, harness.Case{
			ID:           second.id,
			Text:         second.text,
			Requirements: []string{"CP-11", "CP-12", "GEN-15", "GEN-16"},
			Needs:        needs(2),
			Run: func(ctx context.Context, driver *harness.Driver) {
				const shared = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
				volume, capability := driver.NeedVolumeOf(ctx, publication.ForTwo(driver), shared)
				one, other := publication.TwoOf(driver, volume)
				publication.AttachAs(ctx, driver, volume, one, capability)
				request := publication.AttachRequest(driver, volume, other)
				request.VolumeCapability = messages.As(capability, second.mode)

				err := attach(ctx, driver, request)

				harness.ExpectMistakeRefused(ctx, "CP-11", err, fmt.Sprintf("volume %s is attached to %s with %s, and cannot be used on %s as %s describes",
					volume.GetVolumeId(), one, shared, other, second.mode))
			},
		})
	}
	return cases
}
