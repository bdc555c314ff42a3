// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// consistent writes a number to the first volume, then the same to the second, then the next, each stored before the next
// write begins. At any moment the first has the same number as the second, or the next: that must hold for a group snapshot
// as well.
func consistent() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_write_order",
		Text:         "takes a group snapshot that shows two volumes, which are written to in turn, as they were at one moment, or returns FAILED_PRECONDITION",
		Requirements: []string{"VGS-01", "VGS-19", "GEN-15", "GEN-16"},
		Needs:        needs(4, harness.Nodes(1), harness.Attaches(2), harness.Data()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node, asked := driver.Nodes[0], driver.VolumeFor(driver.Nodes[0])
			volumes := []*csi.Volume{driver.NeedVolume(ctx, asked), driver.NeedVolume(ctx, asked)}
			writing := &turns{node: node}
			for _, volume := range volumes {
				writing.published = append(writing.published, publication.Publish(ctx, node, volume))
			}
			request := groups.CreateRequest(driver, volumes...)
			const first = 10 // writes that are over when the group is taken
			writing.until(ctx, func() bool { return writing.written >= first })

			_, err := whileWriting(ctx, writing, func(ctx context.Context) (*csi.CreateVolumeGroupSnapshotResponse, error) {
				return driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
			})

			groups.SkipUngrouped(err)
			if err != nil {
				harness.ExpectRefused(ctx, "VGS-01", err, "a group snapshot that cannot be of one moment fails")
				suite.Warn(ctx, "VGS-19", "the group snapshot of two volumes that are in use on a node is refused with a code other than FAILED_PRECONDITION, after which a caller would unpublish the volumes\ngot: %s", describe.Status(err))
				return
			}
			for i, volume := range volumes {
				publication.TakeAway(ctx, node, volume, writing.published[i])
			}
			group := groups.NeedReady(ctx, driver, request)
			var shown []int
			for _, volume := range volumes {
				text := data.ReadFrom(ctx, node, restore(ctx, driver, member(group, volume), volume, asked))
				number, err := strconv.Atoi(text)
				if err != nil {
					suite.Fail("VGS-01", "a group snapshot has what the volumes had at one moment\nnumbers were written to volume %s, the last one %d, and a volume from its snapshot has %q", volume.GetVolumeId(), writing.written, text)
				}
				shown = append(shown, number)
			}
			suite.Evidence(ctx, "numbers written, and shown by the group snapshot", append([]int{writing.written}, shown...))
			suite.Must("VGS-01", shown[0] == shown[1] || shown[0] == shown[1]+1,
				"all snapshots of a group are taken at the same point in time relative to a stream of writes, or the call fails\neach number was stored in volume %s first, and then in volume %s; the group snapshot has %d in the first and %d in the second, which was never the case",
				volumes[0].GetVolumeId(), volumes[1].GetVolumeId(), shown[0], shown[1])
		},
	}
}

// turns writes to published volumes in turn.
type turns struct {
	node      *harness.Node
	published []*csi.NodePublishVolumeRequest
	// written is the number that all of them have; the first of them may have a higher one.
	written int
}

// until writes until done returns true. Each write is stored when it ends.
func (t *turns) until(ctx context.Context, done func() bool) {
	for !done() {
		for _, published := range t.published {
			data.Write(ctx, t.node, published, fmt.Sprintf("%08d", t.written+1))
		}
		t.written++
	}
}

// whileWriting makes the call and writes meanwhile. The call is made once: another attempt would be another moment.
func whileWriting[Response any](ctx context.Context, t *turns, call func(ctx context.Context) (Response, error)) (Response, error) {
	type outcome struct {
		response Response
		err      error
	}
	ended := make(chan outcome, 1)
	limit := time.After(t.node.Driver.Target.Timeouts.Provision)
	go func() {
		// Outside of the case's own goroutine, no call may end the case.
		response, err := call(attempt.Once(attempt.Tolerant(ctx)))
		ended <- outcome{response, err}
	}()
	var got *outcome
	t.until(ctx, func() bool {
		select {
		case o := <-ended:
			got = &o
			return true
		case <-limit:
			return true
		default:
			return ctx.Err() != nil
		}
	})
	if got == nil {
		o := <-ended // the call has its own limit
		got = &o
	}
	var none *attempt.NoAnswer
	if errors.As(got.err, &none) {
		none.End()
	}
	return got.response, got.err
}
