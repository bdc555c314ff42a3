// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
)

// atOnce makes one call several times at once: it may be ABORTED while another one for
// the name is pending. Any other failure is a warning.
func atOnce() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_at_once",
		Text:         "takes one group snapshot for several concurrent requests with one name",
		Requirements: []string{"VGS-02", "VGS-20", "GEN-02", "GEN-03", "GEN-13"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const times = 4
			volumes := needVolumes(ctx, driver, 2)
			request := groups.CreateRequest(driver, volumes...)
			groups.Need(ctx, driver, volumes...) // or they cannot be in one

			answers := calls.Graceful(ctx, "VGS-02", calls.AtOnce(ctx, times, func(ctx context.Context) (*csi.CreateVolumeGroupSnapshotResponse, error) {
				return driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
			}))

			again, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
			harness.ExpectOK("VGS-02", err, "no other call is pending, and the group snapshot that one of them took is returned")
			for _, answer := range answers {
				expectSame("VGS-02", "one name stands for one group snapshot", again.GetGroupSnapshot(), answer.GetGroupSnapshot())
			}
		},
	}
}

// cutShort repeats a call that was cut short: it continues where it left off.
func cutShort() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_cut_short",
		Text:         "takes one group snapshot when CreateVolumeGroupSnapshot is cut short and repeated",
		Requirements: []string{"VGS-02", "VGS-12", "GEN-07"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volumes := needVolumes(ctx, driver, 2)
			request := groups.CreateRequest(driver, volumes...)

			answers, err := calls.CutShort(ctx, driver, func(ctx context.Context) (*csi.CreateVolumeGroupSnapshotResponse, error) {
				return driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
			})

			groups.SkipUngrouped(err)
			harness.ExpectOK("VGS-02", err, "a call that was cut short and is repeated continues where it left off, and has the same answer when it is repeated once more")
			for _, again := range answers {
				expectSame("VGS-02", "one name stands for one group snapshot", again.GetGroupSnapshot(), answers[0].GetGroupSnapshot())
			}
			expectOnly(ctx, driver, volumes[0], answers[0].GetGroupSnapshot())
		},
	}
}
