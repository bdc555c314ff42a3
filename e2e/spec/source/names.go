// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// snapshotNames takes snapshots of one volume under very similar names: only the name distinguishes them. A refusal of a
// name is not judged, because the back end may support no such names, or only some.
func snapshotNames() harness.Case {
	return harness.Case{
		ID:           "snapshot_names",
		Text:         "takes two snapshots for names of 128 bytes that differ in the last byte, and one for each of several names that differ in letter case or in a separator",
		Requirements: []string{"SN-06"},
		Needs:        needsSnapshots(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			names := driver.SimilarNames()

			taken := map[string]string{} // names, by snapshot_id
			for _, name := range names {
				request := snapshots.CreateRequest(driver, volume)
				request.Name = name
				response, err := driver.Controller.CreateSnapshot(ctx, request)
				if err != nil {
					continue
				}
				id := response.GetSnapshot().GetSnapshotId()
				other, found := taken[id]
				suite.Must("SN-06", !found, "snapshot_id identifies one snapshot, and %s was returned for two names: %q and %q", id, other, name)
				taken[id] = name
			}

			if refused := len(names) - len(taken); refused > 0 {
				suite.Reduced(ctx, "the driver refuses %d of these names, which its back end may not support", refused)
			}
		},
	}
}
