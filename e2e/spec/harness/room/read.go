// SPDX-License-Identifier: Apache-2.0

package room

import (
	"context"
	"fmt"
	"iter"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Request returns the call for the capacity of one segment, or of all of them if it is nil, for volumes of the plain
// kind with the capabilities: file systems and raw block devices may come from different pools (CAP-02).
func (r *Rooms) Request(segment model.Segment) *csi.GetCapacityRequest {
	parameters, _ := r.Profile.Parameters(1)
	request := &csi.GetCapacityRequest{Parameters: parameters, VolumeCapabilities: r.Capabilities}
	if segment != nil {
		request.AccessibleTopology = &csi.Topology{Segments: segment}
	}
	return request
}

// For returns the rooms for volumes with other capabilities.
func (r *Rooms) For(capabilities []*csi.VolumeCapability) *Rooms {
	other := *r
	other.Capabilities = capabilities
	return &other
}

// In reads the room in a segment. The cases about GetCapacity judge a driver that refuses to report it.
func (r *Rooms) In(ctx context.Context, segment model.Segment) Space {
	if !r.Measured() {
		return Space{}
	}
	response, err := r.Controller.GetCapacity(attempt.Surveying(ctx), r.Request(segment))
	if err != nil && !attempt.IsTolerant(ctx) {
		attempt.MustBeAnswered(err)
	}
	if err != nil {
		return Space{}
	}
	return r.note(segment, response)
}

// note records the reported room, and returns it.
func (r *Rooms) note(segment model.Segment, response *csi.GetCapacityResponse) Space {
	space := spaceOf(response)
	r.InRun.Note(segment, space)
	r.InCase.Note(segment, space)
	return space
}

// Read reads the room of all segments concurrently, if the driver claims to report it.
func (r *Rooms) Read(ctx context.Context) (map[string]Space, error) {
	if !r.Measured() {
		return nil, nil //nolint:nilnil // that nothing is told is an answer, of which nothing follows
	}
	watched := r.Watched()
	answers := make([]*csi.GetCapacityResponse, len(watched))
	calls, ctx := errgroup.WithContext(attempt.Surveying(ctx))
	for i, segment := range watched {
		calls.Go(func() error {
			response, err := r.Controller.GetCapacity(ctx, r.Request(segment))
			if statuses.Unanswered(err) {
				return fmt.Errorf("GetCapacity of %s: %w", segment, err)
			}
			answers[i] = response
			return nil
		})
	}
	if err := calls.Wait(); err != nil {
		return nil, err
	}
	rooms := map[string]Space{}
	for i, segment := range watched {
		if answers[i] != nil {
			rooms[segment.String()] = r.note(segment, answers[i])
		}
	}
	return rooms, nil
}

// unfilled returns the reported room in each segment that the case has not filled.
func (r *Rooms) unfilled(ctx context.Context) iter.Seq2[model.Segment, Space] {
	rooms, err := r.Read(ctx)
	attempt.MustBeAnswered(err)
	if err != nil {
		suite.CouldNotTell("cannot read the room that is left in the segments: %v", err)
	}
	return func(yield func(model.Segment, Space) bool) {
		for _, segment := range r.Usable {
			if now, told := rooms[segment.String()]; told && !r.Filled.Contains(segment) && !yield(segment, now) {
				return
			}
		}
	}
}

// Now returns the world with the room that the driver reports now, except in segments that the case has filled,
// unless capacity is known to the byte there: the case may have given some back.
func (r *Rooms) Now(ctx context.Context) (model.World, error) {
	rooms, err := r.Read(ctx)
	world := r.World
	for _, segment := range r.Usable {
		stays := r.Filled.Contains(segment) && (r.Hooked || !r.Profile.Capacity.Exact())
		if now, told := rooms[segment.String()]; told && !stays {
			world = world.With(segment, r.As(now))
		}
	}
	return world, err
}
