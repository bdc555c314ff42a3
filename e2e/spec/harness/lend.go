// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/holdings"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Lent holds connections for the calls of another suite. Like the calls of a case, they are limited, and repeated while the
// context is Tolerant. The other suite removes the objects that they make; GiveBack removes the rest.
type Lent struct {
	Controller grpc.ClientConnInterface
	Nodes      []grpc.ClientConnInterface

	suite  *Suite
	driver *Driver
}

// Lend returns connections to the controller and the nodes for another suite.
func (s *Suite) Lend() *Lent {
	d := s.connect("")
	lent := &Lent{Controller: connection{s.target.Controller, "the controller", d}, suite: s, driver: d}
	for i, conn := range s.target.Nodes {
		lent.Nodes = append(lent.Nodes, connection{conn, fmt.Sprintf("node endpoint %d", i+1), d})
	}
	return lent
}

// Follow records the calls from now on under the case with that id, and returns functions that read them and the placement
// of its volumes.
func (l *Lent) Follow(id string) (suite.Recording, suite.Placing) {
	calls := l.suite.logOf(id)
	l.driver.calls = calls
	l.driver.crashes = l.driver.health.Crashes()
	l.driver.silent.Store(nil)
	l.driver.broken.Store(nil)
	return calls, calls.Placement
}

// MustAnswer leaves the case out if the driver had stopped answering when it began.
func (l *Lent) MustAnswer(ctx context.Context) {
	l.suite.health.MustAnswer()
	l.suite.introduce(ctx, l.driver)
	l.survey(attempt.Surveying(ctx))
	l.suite.health.Begin(l.driver.calls.CaseID)
}

// survey records the volumes and snapshots that the driver lists before the case: unless the request shows that an object
// belongs to the case, it must be new. A list that fails shows nothing, and a long list is not read for this.
func (l *Lent) survey(ctx context.Context) {
	d := l.driver
	d.before = holdings.State{}
	if d.Held.Many.Load() {
		return
	}
	if d.Held.ListsVolumes {
		if ids, err := d.Held.ListVolumes(ctx); err == nil {
			d.before.Volumes = ids
		}
	}
	if d.Held.ListsSnapshots {
		if ids, err := d.Held.ListSnapshots(ctx); err == nil {
			d.before.Snapshots = ids
		}
	}
}

// MustBeUntouched ends the case as an error if the driver's process ended while it ran, and not because of one of its
// own calls.
func (l *Lent) MustBeUntouched(said string) {
	if touched(l.driver) {
		mark := suite.Mark{Message: said}
		noteCrash(&mark)
		suite.CouldNotTell("%s", mark.Message)
	}
}

// Precede removes everything that a CO must remove before it makes the call (CU-02) and the other suite has left, and
// reports whether that worked. GiveBack tries the rest again. Precede does nothing for a call that takes no volume away.
func (l *Lent) Precede(ctx context.Context, request any) bool {
	var call ledger.Entry
	switch r := request.(type) {
	case *csi.NodeUnstageVolumeRequest:
		call = ledger.Entry{By: "NodeUnstageVolume", Of: "volume " + r.GetVolumeId()}
	case *csi.ControllerUnpublishVolumeRequest:
		call = ledger.Entry{By: "ControllerUnpublishVolume", Of: "volume " + r.GetVolumeId()}
	case *csi.DeleteVolumeRequest:
		call = ledger.Entry{By: "DeleteVolume", What: "volume " + r.GetVolumeId()}
	}
	earlier := slices.DeleteFunc(l.driver.ledger.All(), func(e ledger.Entry) bool { return !call.Awaits(e) })
	return len(undoAll(attempt.Tolerant(ctx), earlier)) == 0
}

// HasLeft reports whether the driver may still have the object that the request removes: the other suite has made it, and no
// call has removed it. It is true for a request that removes nothing.
func (l *Lent) HasLeft(request any) bool {
	used := func(id string) bool { return l.driver.health.Own.Uses(own.Volume, id) }
	onNode := func(what func(*Node) string) bool {
		return slices.ContainsFunc(l.driver.Nodes, func(n *Node) bool { return l.driver.ledger.Has(what(n)) })
	}
	switch r := request.(type) {
	case *csi.DeleteVolumeRequest:
		return used(r.GetVolumeId())
	case *csi.DeleteSnapshotRequest:
		return l.driver.health.Own.Uses(own.Snapshot, r.GetSnapshotId())
	case *csi.ControllerUnpublishVolumeRequest:
		return used(r.GetVolumeId()) && l.driver.ledger.Has(publication(r.GetVolumeId(), r.GetNodeId()))
	case *csi.NodeUnstageVolumeRequest:
		return used(r.GetVolumeId()) && onNode(func(n *Node) string { return staging(n, r.GetVolumeId(), r.GetStagingTargetPath()) })
	case *csi.NodeUnpublishVolumeRequest:
		return used(r.GetVolumeId()) && onNode(func(n *Node) string { return nodePublication(n, r.GetVolumeId(), r.GetTargetPath()) })
	default:
		return true
	}
}

// MayTouch returns the error of a call for an object that does not belong to the run. The call is not made.
func (l *Lent) MayTouch(request any) error { return l.driver.health.Own.MayTouch(request) }

// IsOwn reports whether the object in the driver's answer to a creation belongs to the run. It is true for the answer
// to any other call.
func (l *Lent) IsOwn(response any) bool { return isOwn(l.driver, response) }

// Attaching waits until the followed case can attach a volume to each node without exceeding the node's limit.
func (l *Lent) Attaching(ctx context.Context) error { return l.suite.reserve(ctx, l.driver, 1) }

// Ended releases the attachments that the followed case reserved, once it has removed its objects.
func (l *Lent) Ended() { l.driver.letGo() }

// GiveBack removes the objects that the other suite left in the driver.
func (l *Lent) GiveBack(ctx context.Context) {
	l.driver.before = holdings.State{} // of the last case only
	l.driver.removeOrLeave(ctx)
}
