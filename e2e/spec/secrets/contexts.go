// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

// contexts returns the case about data that is kept outside of a Secret: Kubernetes puts volume_context into the
// PersistentVolume, and publish_context into the VolumeAttachment.
func contexts() harness.Case {
	return harness.Case{
		ID:           "secrets_in_contexts",
		Text:         "returns no secret in volume_context and publish_context",
		Requirements: []string{"VOL-21", "CP-24"},
		Needs:        harness.Needs(controller(), harness.Attaches(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			mask := harness.MaskOf(driver.Profile())
			if mask == nil {
				suite.Skip(suite.ByProfile, noSecrets)
			}
			volume := volumeFor(ctx, driver)
			repeated := repeating(mask, volume.GetVolumeContext())
			suite.Should(ctx, "VOL-21", repeated == "",
				"the volume_context of CreateVolume has a value of the profile's secrets at %s: it is kept in the PersistentVolume, which more users may read than the Secret. Where the value is confidential, leave it out: calls have secrets of their own", repeated)
			if len(driver.Nodes) == 0 {
				return
			}
			repeated = repeating(mask, publication.Attach(ctx, driver, volume, driver.Nodes[0]))
			suite.Should(ctx, "CP-24", repeated == "",
				"the publish_context of ControllerPublishVolume has a value of the profile's secrets at %s: it is kept in the VolumeAttachment, which more users may read than the Secret. Where the value is confidential, leave it out: calls have secrets of their own", repeated)
		},
	}
}

// repeating returns the keys with text that the mask hides.
func repeating(mask *foreign.Mask, values map[string]string) string {
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if mask.Text(key) != key || mask.Text(values[key]) != values[key] {
			keys = append(keys, key)
		}
	}
	return strings.Join(keys, ", ")
}
