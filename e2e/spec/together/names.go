// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// historyOfName returns the case about one name of a volume. A volume in an answer exists until it is deleted, whatever
// other calls for the name were in flight.
func historyOfName() harness.Case {
	return harness.Case{
		ID:           "history_of_name",
		Text:         "creates and deletes the volume of one name for clients that call at once as for one client that calls in some order",
		Requirements: []string{"CV-02", "CV-03", "CV-07", "DV-01", "GEN-02", "GEN-03", "GEN-13"},
		Needs:        harness.Volumes(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := driver.CreateVolumeRequest(driver.Volume(1))
			volume := func(id string) *csi.Volume { return driver.Made.Volume(id) }
			n := &named{
				history:  newHistory[ids](driver, "the volume name "+request.GetName(), ""),
				creation: "CreateVolume", deletion: "DeleteVolume", lookup: "ValidateVolumeCapabilities", clause: "CV-02", several: "CV-07", listed: driver.ListsVolumes(),
				create: func(ctx context.Context) (string, error) {
					response, err := driver.Controller.CreateVolume(ctx, request)
					return response.GetVolume().GetVolumeId(), err
				},
				remove: func(ctx context.Context, id string) error {
					_, err := driver.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id, Secrets: driver.Profile().Secrets.DeleteVolume})
					return err
				},
				exists: func(ctx context.Context, id string) (gone bool, err error) {
					_, err = driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume(id), driver.Capability()))
					return status.Code(err) == codes.NotFound, err
				},
			}
			n.run(ctx, request)
		},
	}
}

// historyOfSnapshot returns the case about one name of a snapshot.
func historyOfSnapshot() harness.Case {
	return harness.Case{
		ID:           "history_of_snapshot",
		Text:         "takes and deletes the snapshot of one name for clients that call at once as for one client that calls in some order",
		Requirements: []string{"CS-03", "GEN-02", "GEN-03", "GEN-13"},
		Needs:        harness.Needs(harness.Volumes(2), harness.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := snapshots.CreateRequest(driver, driver.NeedVolume(ctx, driver.Volume(1)))
			n := &named{
				history:  newHistory[ids](driver, "the snapshot name "+request.GetName(), ""),
				creation: "CreateSnapshot", deletion: "DeleteSnapshot", clause: "CS-03", listed: driver.ListsSnapshots(),
				create: func(ctx context.Context) (string, error) {
					response, err := driver.Controller.CreateSnapshot(ctx, request)
					return response.GetSnapshot().GetSnapshotId(), err
				},
				remove: func(ctx context.Context, id string) error {
					_, err := driver.Controller.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: id, Secrets: driver.Profile().Secrets.DeleteSnapshot})
					return err
				},
			}
			n.run(ctx, request)
		},
	}
}

// run lets the clients meet under the name of the request, and judges the history. A creation that was left open may
// succeed after the case.
func (n *named) run(ctx context.Context, request any) {
	if !n.listed {
		suite.Reduced(ctx, "nothing is deleted concurrently with creations: no list would show which of the created objects belong to the run")
	}
	rounds(ctx, func() bool { return n.meet(ctx) })
	for _, c := range n.calls {
		if c.asked == n.creation && c.means == nil {
			harness.EnterAgain(n.driver, request)
			break
		}
	}
	n.judge(ctx)
}
