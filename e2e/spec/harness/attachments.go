// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/semaphore"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// attachments limits how many volumes all concurrent cases have attached to one node, by the lowest
// max_volumes_per_node.
type attachments struct {
	count sync.Once
	most  int64                              // volumes on each node
	left  atomic.Pointer[semaphore.Weighted] // nil where no node has a limit
}

// Attaches declares that the case may have the given number of volumes attached to one node at a time, if there are
// nodes. A case that needs Nodes has one.
func Attaches(most int64) []Need {
	return []Need{{Takes: most}}
}

// mayAttach reports whether the case can reserve its attachments without waiting for other cases.
func (s *Suite) mayAttach(c Case) bool {
	left := s.attachments.left.Load()
	if left == nil || c.Takes() == 0 {
		return true
	}
	attachments := min(c.Takes(), s.attachments.most)
	free := left.TryAcquire(attachments)
	if free {
		left.Release(attachments)
	}
	return free
}

// awaitAttachments waits until the case can attach the volumes that it needs without exceeding the limit of a node.
func (s *Suite) awaitAttachments(ctx context.Context, c Case, d *Driver) {
	if c.Takes() == 0 || d.demand.volumes == 0 && !d.usesExisting() {
		return
	}
	var err error
	suite.Waiting(ctx, func() { err = s.reserve(ctx, d, c.Takes()) })
	if err != nil {
		suite.CouldNotTell("waiting until other cases have fewer volumes on the nodes was interrupted")
	}
}

// reserve reserves the given number of attachments on each node, once other cases have few enough, until letGo is
// called. A case reserves all its attachments together: two cases that each had some and waited for more would wait for
// ever.
func (s *Suite) reserve(ctx context.Context, d *Driver, attachments int64) error {
	if s.target.Parallel <= 1 || d.reserved > 0 || !d.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		return nil
	}
	a := &s.attachments
	a.count.Do(func() {
		if a.most = mostAttached(ctx, d); a.most < math.MaxInt64 {
			a.left.Store(semaphore.NewWeighted(a.most))
		}
	})
	left := a.left.Load()
	if left == nil {
		return nil
	}
	attachments = min(attachments, a.most)
	if err := left.Acquire(ctx, attachments); err != nil {
		return err
	}
	d.reserved, d.release = attachments, left.Release
	return nil
}

// mostAttached returns how many volumes can be attached to each node in addition to volumes of other users that
// ListVolumes shows there. It is at least 1, and MaxInt64 if no node has a limit.
func mostAttached(ctx context.Context, d *Driver) int64 {
	most := int64(math.MaxInt64)
	limited := func(n *Node) bool { return n.MaxVolumes > 0 }
	if !slices.ContainsFunc(d.Nodes, limited) {
		return most
	}
	others := attachedByOthers(ctx, d)
	for _, node := range d.Nodes {
		if limited(node) {
			most = min(most, max(node.MaxVolumes-others[node.ID], 1))
		}
	}
	return most
}

// attachedByOthers counts the volumes on each node, by its id, before any case has attached one. It does not count volumes
// that the driver does not report.
func attachedByOthers(ctx context.Context, d *Driver) map[string]int64 {
	others := map[string]int64{}
	if !d.ListsVolumes() || !d.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
		return others
	}
	_ = d.Pages.Survey(ctx, "ListVolumes", func(ctx context.Context, token string) (next string, err error) { // the cases about lists judge the error
		response, err := d.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{StartingToken: token})
		for _, entry := range response.GetEntries() {
			for _, node := range entry.GetStatus().GetPublishedNodeIds() {
				others[node]++
			}
		}
		return response.GetNextToken(), err
	})
	return others
}

// HasLeftAttached reports whether cases have left volumes attached to nodes, because they could not or must not be
// detached.
func (d *Driver) HasLeftAttached() bool { return d.health.HasLeft("ControllerUnpublishVolume") }
