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

// Lent are connections for the calls of another suite: as the calls of a case, they have limits and are repeated, while the
// context is Tolerant. What they make is the other suite's to remove, until GiveBack.
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

// Follow records the calls from now on as the case's of that id, and returns how to read them, and where its volumes were.
func (l *Lent) Follow(id string) (suite.Recording, suite.Placing) {
	calls := l.suite.logOf(id)
	l.driver.calls = calls
	l.driver.crashes = l.driver.health.Crashes()
	l.driver.silent.Store(nil)
	l.driver.broken.Store(nil)
	return calls, calls.Placement
}

// MustAnswer leaves the case out that begins when the driver has stopped answering.
func (l *Lent) MustAnswer(ctx context.Context) {
	l.suite.health.MustAnswer()
	l.suite.introduce(ctx, l.driver)
	l.survey(attempt.Surveying(ctx))
	l.suite.health.Begin(l.driver.calls.CaseID)
}

// survey takes what the driver lists as that before the case: what the case is answered is its own only if it is new, where the
// request shows nothing. A list that fails shows nothing either, and a long one is not read for that.
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

// MustBeUntouched ends the case as an error if the driver's process ended while it ran, and not of a call of its own.
func (l *Lent) MustBeUntouched(said string) {
	if touched(l.driver) {
		mark := suite.Mark{Message: said}
		noteCrash(&mark)
		suite.CouldNotTell("%s", mark.Message)
	}
}

// Precede removes what the other suite has left that a CO must remove before it makes the call (CU-02), and reports whether that
// worked. What cannot be removed is left for GiveBack. It does nothing for a call that takes no volume away.
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

// HasLeft reports whether the driver may have what the request removes: the other suite has made it, and no call has removed it.
// It is true of a request that removes nothing.
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

// MayTouch returns the error of a call for what is not the run's own, which is not made.
func (l *Lent) MayTouch(request any) error { return l.driver.health.Own.MayTouch(request) }

// IsOwn reports whether what the driver answered to a creation is the run's own; it is for the answer of any other call.
func (l *Lent) IsOwn(response any) bool { return isOwn(l.driver, response) }

// Attaching waits until the case that is followed can attach a volume to each node without exceeding the node's limit.
func (l *Lent) Attaching(ctx context.Context) error { return l.suite.reserve(ctx, l.driver, 1) }

// Ended lets other cases attach as many volumes as the case that is followed could, once it has removed what it made.
func (l *Lent) Ended() { l.driver.letGo() }

// GiveBack removes what the other suite left in the driver.
func (l *Lent) GiveBack(ctx context.Context) {
	cleaning, cancel := suite.CleanUp(ctx, l.suite.target.Timeouts.Cleanup)
	defer cancel()
	l.driver.before = holdings.State{} // of the last case only
	if l.driver.StartOver(cleaning) != nil {
		l.suite.health.Leave(l.driver.ledger.Clear()) // it is named at the end of the run
	}
}
