// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
)

// delete deletes a volume, and expects OK if it is deleted already. A CO does not delete a volume that a node has
// staged.
func (s *sequence) delete(v *volume) (c call, meant bool) {
	if v.isUsed() {
		return call{}, false
	}
	request := deletion.Request(s.driver, v.message())
	c = callOf(s.driver.Controller.DeleteVolume, request, func(_ context.Context, _ *csi.DeleteVolumeResponse, err error) outcome {
		o := outcomeOf("DeleteVolume of "+v.name, err)
		s.judgeDeletion(&o, v, err)
		if err == nil && v.exists {
			v.exists, s.deleted[v.id] = false, true
			v.on = nil // a driver that may delete volumes in use has left them
			s.room.take(v.segments, -v.bytes)
		}
		return o
	}).of(v)
	c.shares = v.copied || v.is.source != nil
	return c, true
}

func (s *sequence) judgeDeletion(o *outcome, v *volume, err error) {
	switch nodes := v.nodes(); {
	case !v.exists:
		o.state = "the volume is deleted already"
		o.ok(err, "DV-02", "a volume that does not exist is as good as deleted")
	case v.copied && s.hasSnapshots(v):
		o.state = "there are snapshots of the volume"
		o.ok(err, "DV-04", "the volume is deleted without its snapshots, or not at all", codes.FailedPrecondition)
	case v.copied:
		o.state = "the volume has been copied"
		o.ok(err, "DV-05", "the volume is deleted, or in use by a copy", codes.FailedPrecondition)
	case len(nodes) > 0:
		o.state = fmt.Sprintf("the volume is published to %s", nodes)
		s.judgeInUse(o, err)
	default:
		o.ok(err, "DV-01", "the volume is deleted")
	}
}

// judgeInUse judges the deletion of a published volume. The driver decides whether a volume in use can be deleted; if
// it has refused once, it must always refuse.
func (s *sequence) judgeInUse(o *outcome, err error) {
	const why = "a volume that is in use is not deleted"
	if s.learned.keepsInUse {
		o.refused(err, "DV-05", why, codes.FailedPrecondition)
		return
	}
	o.betterRefused(err, "DV-05", why, codes.FailedPrecondition)
	s.learned.keepsInUse = status.Code(err) == codes.FailedPrecondition
}

// hasSnapshots reports whether the volume has snapshots.
func (s *sequence) hasSnapshots(v *volume) bool {
	for _, snap := range s.snapshots {
		if snap.exists && snap.volumeID == v.id {
			return true
		}
	}
	return false
}
