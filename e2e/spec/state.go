package spec

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// state is what the driver shows of what it holds: its volumes, where it claims to list them, and the available capacity
// of each segment in bytes, where it claims to tell.
type state struct {
	volumes  map[string]bool
	capacity map[string]int64
}

// mustState reads the state; without it there is nothing to judge.
func (d *driver) mustState(ctx context.Context) state {
	s, err := d.readState(ctx)
	if err != nil {
		verdict.CouldNotTell("the driver's volumes and capacity, which the case needs to know, could not be read: %v", err)
	}
	return s
}

// changedSince says what differs in the driver since before, once it has had time to settle.
func (d *driver) changedSince(ctx context.Context, before state) []string {
	var changes []string
	settled := func() bool {
		now, err := d.readState(ctx)
		if err != nil {
			changes = []string{fmt.Sprintf("the driver's volumes and capacity could not be read: %v", err)}
			return true
		}
		changes = now.differences(before)
		return len(changes) == 0
	}
	const polling = 100 * time.Millisecond
	quietly := gomega.NewGomega(func(string, ...int) {}) // changes is the outcome
	quietly.Eventually(settled).WithContext(ctx).WithTimeout(d.target.Timeouts.Settle).WithPolling(polling).Should(gomega.BeTrue())
	return changes
}

func (d *driver) readState(ctx context.Context) (state, error) {
	s := state{volumes: map[string]bool{}, capacity: map[string]int64{}}
	if d.claims[csi.ControllerServiceCapability_RPC_LIST_VOLUMES] {
		if err := d.listVolumes(ctx, s.volumes); err != nil {
			return state{}, err
		}
	}
	if d.claims[csi.ControllerServiceCapability_RPC_GET_CAPACITY] {
		for _, segment := range d.segments {
			response, err := query(ctx, d, d.controller.GetCapacity, d.capacityRequest(segment))
			if err != nil {
				return state{}, fmt.Errorf("GetCapacity of %s: %w", segment, err)
			}
			s.capacity[segment.String()] = response.GetAvailableCapacity()
		}
	}
	return s, nil
}

// listVolumes enters the ids of all volumes, page by page.
func (d *driver) listVolumes(ctx context.Context, ids map[string]bool) error {
	for token, seen := "", map[string]bool{}; ; {
		response, err := query(ctx, d, d.controller.ListVolumes, &csi.ListVolumesRequest{StartingToken: token})
		if err != nil {
			return fmt.Errorf("ListVolumes from token %q: %w", token, err)
		}
		for _, entry := range response.GetEntries() {
			ids[entry.GetVolume().GetVolumeId()] = true
		}
		token = response.GetNextToken()
		if token == "" {
			return nil
		}
		if seen[token] {
			return fmt.Errorf("ListVolumes answered the next_token %q twice: its pages never end", token)
		}
		seen[token] = true
	}
}

// differences says how the state differs from before, in sentences.
func (s state) differences(before state) []string {
	var found []string
	for _, id := range slices.Sorted(maps.Keys(s.volumes)) {
		if !before.volumes[id] {
			found = append(found, fmt.Sprintf("volume %s is listed, and was not", id))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before.volumes)) {
		if !s.volumes[id] {
			found = append(found, fmt.Sprintf("volume %s is not listed any more", id))
		}
	}
	for _, segment := range slices.Sorted(maps.Keys(s.capacity)) {
		if now, then := s.capacity[segment], before.capacity[segment]; now != then {
			found = append(found, fmt.Sprintf("%s has %d bytes available, and had %d", segment, now, then))
		}
	}
	return found
}
