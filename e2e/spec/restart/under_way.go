// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const wasKilled = "the driver was killed while calls were under way, and started again"

// underWay returns the cases about calls that are under way when the driver is killed. A CO repeats them with the same
// name.
func underWay() []harness.Case { return []harness.Case{creating(), restoring()} }

func creating() harness.Case {
	return harness.Case{
		ID:           "restart_creating",
		Text:         "loses nothing and makes nothing twice when it is killed while it creates and deletes volumes",
		Requirements: []string{"CV-02", "CV-03", "CV-07", "VOL-12", "VV-03", "DV-01"},
		Needs:        needs(2 + 3*callers),
		Run: func(ctx context.Context, driver *harness.Driver) {
			before := []made{
				mustMake(ctx, driver, driver.CreateVolumeRequest(driver.Volume(1))),
				mustMake(ctx, driver, driver.CreateVolumeRequest(driver.Volume(1))),
			}

			all := killedUnderWay(ctx, driver, func() *csi.CreateVolumeRequest { return driver.CreateVolumeRequest(driver.Volume(1)) })

			for _, was := range before {
				expectKept(ctx, driver, was, wasKilled)
			}
			finish(ctx, driver, all)
		},
	}
}

// restoring checks the data of the source: a copy that was killed half-way is incomplete.
func restoring() harness.Case {
	return harness.Case{
		ID:           "restart_restoring",
		Text:         "restores a snapshot with its data when it is killed meanwhile and the call is repeated",
		Requirements: []string{"CV-02", "CV-03", "CV-07", "VS-02", "VV-03", "DV-01"},
		Needs:        harness.Needs(needs(2+3*callers, csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT), harness.Nodes(1), harness.Data()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const text = "written before the snapshot"
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			data.WriteTo(ctx, node, volume, text)
			snapshot := snapshots.Need(ctx, driver, volume)

			all := killedUnderWay(ctx, driver, func() *csi.CreateVolumeRequest {
				return restoreOf(driver, snapshot, volume, driver.VolumeFor(node))
			})

			for _, restored := range finish(ctx, driver, all) {
				got := data.ReadFrom(ctx, node, restored.volume)
				suite.Must("VS-02", got == text, "a volume has the data of its source\n%q was written to volume %s, snapshot %s was taken, and %s\nCreateVolume from the snapshot answered OK with volume %s, which has %q",
					text, volume.GetVolumeId(), snapshot.GetSnapshotId(), wasKilled, restored.volume.GetVolumeId(), got)
			}
		},
	}
}

// finish repeats the calls under way, as a CO does, and returns the volumes that exist afterwards.
func finish(ctx context.Context, driver *harness.Driver, all []*caller) []made {
	var there []made
	answered, open := 0, 0
	for _, c := range all {
		answered += c.answered
		switch {
		case c.open != nil:
			open++
			there = append(there, finished(ctx, driver, c.open))
		case c.openDeletion != nil:
			open++
			_, err := driver.Controller.DeleteVolume(ctx, c.openDeletion)
			harness.ExpectOK("DV-01", err, fmt.Sprintf("DeleteVolume of volume %s was under way; %s, and it was repeated", c.openDeletion.GetVolumeId(), wasKilled))
		}
		if c.kept != nil {
			expectKept(ctx, driver, *c.kept, wasKilled)
			there = append(there, *c.kept)
		}
	}
	suite.Evidence(ctx, "calls that were answered before the driver was killed", answered)
	suite.Evidence(ctx, "calls that were in flight when the driver was killed", open)
	if open == 0 {
		suite.Reduced(ctx, "no call was in flight when the driver was killed: %s", whyNone(all))
	}
	return there
}

func whyNone(all []*caller) string {
	for _, c := range all {
		if c.refused != nil {
			return "one before was refused, " + describe.Status(c.refused)
		}
	}
	return "all of them had been answered"
}

// finished repeats a CreateVolume that was under way until it is answered, and once more: only one volume has the name.
func finished(ctx context.Context, driver *harness.Driver, request *csi.CreateVolumeRequest) made {
	response, err := driver.Controller.CreateVolume(ctx, request)
	skipWithoutRoom(err)
	asked := fmt.Sprintf("CreateVolume of the name %s was under way; %s, and CreateVolume was repeated", request.GetName(), wasKilled)
	harness.ExpectOK("CV-02", err, asked)
	one := made{request, response.GetVolume()}
	expectKept(ctx, driver, one, "nothing else happened")
	return one
}
