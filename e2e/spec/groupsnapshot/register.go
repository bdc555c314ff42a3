// SPDX-License-Identifier: Apache-2.0

// Package groupsnapshot contains the spec tier's cases about volume group snapshots: several volumes at one moment, as
// snapshots that are created and deleted together.
package groupsnapshot

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "taking group snapshots", Cases: slices.Concat(taking(), contents())},
		{Name: "snapshots of groups", Cases: slices.Concat(members(), getting(), deleting())},
	}
}

// needs returns the needs of a case that creates up to the given number of volumes in a segment, including copies.
func needs(volumes int, more ...[]harness.Need) []harness.Need {
	return harness.Needs(harness.GroupSnapshots(), harness.Volumes(volumes), harness.Needs(more...))
}

// needVolumes creates count volumes, in one segment if there are any: a driver may not support groups across several.
func needVolumes(ctx context.Context, driver *harness.Driver, count int) []*csi.Volume {
	var volumes []*csi.Volume
	for range count {
		volumes = append(volumes, driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Zones(1)...)))
	}
	return volumes
}

// idsOf returns the volume_ids, sorted.
func idsOf(volumes []*csi.Volume) []string {
	var ids []string
	for _, volume := range volumes {
		ids = append(ids, volume.GetVolumeId())
	}
	slices.Sort(ids)
	return ids
}
