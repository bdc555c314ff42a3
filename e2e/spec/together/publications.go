// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// on is the node_id of the node that a volume is published to; empty if it is published to none.
type on string

// attached is the history of a volume that one node may have.
type attached struct {
	*history[on]
	volume *csi.Volume
}

// historyOfPublication returns the case about a volume for one node, which clients publish to two nodes concurrently.
func historyOfPublication() harness.Case {
	return harness.Case{
		ID:           "history_of_publication",
		Text:         "publishes a single-node volume to one node at a time for clients that call at once, and unpublishes it",
		Requirements: []string{"CP-04", "CP-34", "CU-05", "CU-06", "GEN-02", "GEN-03", "GEN-13"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Nodes(2), harness.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			if mode := driver.Profile().Plain().Mode(); strings.HasPrefix(mode.String(), "MULTI_NODE") {
				suite.Skip(suite.ByProfile, "the case needs a volume for one node, and the profile says that volumes have %s", mode)
			}
			volume := driver.NeedVolume(ctx, publication.ForTwo(driver))
			one, other := publication.TwoOf(driver, volume)
			a := &attached{newHistory[on](driver, "volume "+volume.GetVolumeId(), ""), volume}
			a.undoLater(one, other)
			rounds(ctx, func() bool {
				publish := func(node *harness.Node) func(ctx context.Context, client int) {
					return func(ctx context.Context, client int) { a.publish(ctx, client, node) }
				}
				unpublish := func(node *harness.Node) func(ctx context.Context, client int) {
					return func(ctx context.Context, client int) { a.unpublish(ctx, client, node) }
				}
				a.atOnce(ctx, publish(one), publish(other), publish(one))
				a.atOnce(ctx, unpublish(one), publish(other), unpublish(other), publish(one))
				end := func(node *harness.Node) bool {
					return a.settle(ctx, func(ctx context.Context, client int) bool { return a.unpublish(ctx, client, node) })
				}
				return end(one) && end(other)
			})
			if part := a.misfit(false); part != nil {
				if mode := validation.ConfirmedForSeveral(ctx, driver, volume); mode != "" && !a.isForOneNode(ctx, one, other) {
					suite.Warn(ctx, "CP-34", "%s\nValidateVolumeCapabilities confirms %s for the volume, which several nodes may have then", a.describe(part), mode)
					return
				}
			}
			a.judge(ctx)
		},
	}
}

// undoLater detaches the nodes after the case, whatever the last answer was: if one client publishes while another
// unpublishes, the order of the answers does not show which came last.
func (a *attached) undoLater(nodes ...*harness.Node) {
	for _, node := range nodes {
		harness.UndoLater(a.driver, fmt.Sprintf("volume %s published to node %s concurrently with its detachment", a.volume.GetVolumeId(), node.ID), func(ctx context.Context) error {
			_, _ = a.driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(a.driver, a.volume, node)) // if it fails, the deletion does
			return nil
		})
	}
}

// isForOneNode reports whether the driver, in sequential calls, refuses to publish the volume to the other node with
// FAILED_PRECONDITION once it is published to the one: then it has no capability for several nodes, whatever the driver
// confirms.
func (a *attached) isForOneNode(ctx context.Context, one, other *harness.Node) bool {
	publication.Attach(ctx, a.driver, a.volume, one)
	_, err := a.driver.Controller.ControllerPublishVolume(ctx, publication.AttachRequest(a.driver, a.volume, other))
	return status.Code(err) == codes.FailedPrecondition
}

func (a *attached) publish(ctx context.Context, client int, node *harness.Node) {
	here := on(node.ID)
	published := func(before on, _ bool) []on {
		if before == "" || before == here {
			return []on{here}
		}
		return nil
	}
	same := func(before on, _ bool) []on { return []on{before} }
	mayPublish := func(before on, strict bool) []on { return append(published(before, strict), before) }
	a.make(client, "ControllerPublishVolume to "+node.ID, mayPublish, func() (answer[on], error) {
		_, err := a.driver.Controller.ControllerPublishVolume(ctx, publication.AttachRequest(a.driver, a.volume, node))
		switch code := status.Code(err); code {
		case codes.OK:
			return answer[on]{"OK", published, "CP-34", "CP-34"}, nil
		case codes.FailedPrecondition: // the specification does not say how soon another node has released the volume
			return answer[on]{text: model.CodeName(code), means: same}, nil
		default:
			return answer[on]{}, err
		}
	})
}

func (a *attached) unpublish(ctx context.Context, client int, node *harness.Node) (settled bool) {
	unpublished := func(before on, _ bool) []on {
		if before == on(node.ID) {
			return []on{""}
		}
		return []on{before}
	}
	mayUnpublish := func(before on, strict bool) []on { return append(unpublished(before, strict), before) }
	return a.make(client, "ControllerUnpublishVolume from "+node.ID, mayUnpublish, func() (answer[on], error) {
		_, err := a.driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(a.driver, a.volume, node))
		if err != nil {
			return answer[on]{}, err
		}
		return answer[on]{text: "OK", means: unpublished}, nil
	})
}
