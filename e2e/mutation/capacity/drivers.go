// SPDX-License-Identifier: Apache-2.0

// Package capacity has drivers that report capacity wrongly, and correct drivers that lack something.
package capacity

import (
	"slices"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Drivers returns the faulty drivers, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	return mutation.Union(pacedOfVolumes(), mutation.Serially(mutation.Union(lacks(), faults(), tellingNone(), alternating(), paced())))
}

const (
	asks     = "capacity_answers capacity_of_everything capacity_never_negative capacity_with_sidecar_parameters capacity_keeps_up"
	tracked  = "capacity_for_capabilities capacity_for_unsupported_capabilities capacity_for_each_kind capacity_for_refused_parameters " + borders
	borders  = "capacity_maximum_can_be_had capacity_minimum_can_be_had capacity_less_than_minimum capacity_minimum_is_told"
	exact    = "capacity_asked_again capacity_falls_by_volume capacity_falls_in_its_segment capacity_falls_in_both_segments " + exactly
	exactly  = "capacity_returns_with_deletion capacity_counts_repeats_once"
	nowhere  = "capacity_of_unknown_segment capacity_without_topology capacity_of_full_segment capacity_maximum_of_little_room capacity_after_growth_to_the_limit"
	twoZones = "capacity_falls_in_its_segment capacity_falls_in_both_segments capacity_for_two_segments_needs_both"
)

// lacks returns correct drivers that lack something, or whose profile says so.
func lacks() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no capability GET_CAPACITY": mutation.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY,
			mutation.Skips(asks+" "+tracked+" "+exact+" "+nowhere+" capacity_for_two_segments_needs_both capacity_more_than_maximum", suite.ByCapability)),
		"no capability CREATE_DELETE_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
			mutation.Skips(tracked+" "+exactly, suite.ByCapability), mutation.Passes(asks)),
		"no capability EXPAND_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME,
			mutation.Skips("capacity_after_growth_to_the_limit", suite.ByCapability)),
		"no topology": mutation.WithoutTopology(mutation.Skips(nowhere+" "+twoZones, suite.ByCapability),
			mutation.Passes(asks+" "+tracked+" "+exactly)),
		"one segment": mutation.Started(mutation.InZones("Z2"), mutation.Skips(twoZones, suite.ByEnvironment),
			mutation.Passes(asks+" "+tracked+" "+exactly+" "+nowhere)),
		"no volumes of two topologies": mutation.Told(func(t *harness.Target) { t.Profile.Volumes = slices.Clone(t.Profile.Volumes[:1]) },
			mutation.Skips("capacity_falls_in_both_segments capacity_for_two_segments_needs_both", suite.ByProfile)),
		"capacity that others use too": mutation.Told(func(t *harness.Target) { t.Profile.Capacity = profile.AtLeast },
			mutation.Skips(exact+" capacity_more_than_maximum capacity_maximum_of_little_room", suite.ByProfile),
			mutation.Passes(asks+" "+tracked+" capacity_of_full_segment")),
		"capacity that is not tracked": mutation.Told(func(t *harness.Target) { t.Profile.Capacity = profile.Untracked },
			mutation.Skips(tracked, suite.ByProfile), mutation.Passes(asks)),
		"no sizes of its volumes": mutation.Started(func(o *embedded.Options) { o.Sizes.MinimumBytes, o.Sizes.MaximumBytes = 0, 0 },
			mutation.Skips("capacity_minimum_can_be_had capacity_less_than_minimum", suite.ByCapability),
			mutation.Passes("capacity_minimum_is_told capacity_maximum_can_be_had capacity_more_than_maximum capacity_maximum_of_little_room")),
	}
}

// tellingNone returns drivers that report no capacity and create volumes, on a back end that others use too: their reports
// do not show whether a case can be run.
func tellingNone() map[string]mutation.Expectation {
	none := mutation.Wide(mutation.Answering(func(_ *question, told *answer) {
		told.AvailableCapacity, told.MaximumVolumeSize = 0, nil
	}), mutation.Fails("capacity_where_created", "CAP-12"), mutation.Warns("capacity_for_capabilities", "CAP-02"),
		mutation.Warns("capacity_for_each_kind", "CAP-04"),
		mutation.Passes("capacity_answers capacity_for_unsupported_capabilities capacity_for_refused_parameters capacity_minimum_can_be_had"))
	none.Target = func(t *harness.Target) { t.Profile.Capacity = profile.AtLeast }
	return map[string]mutation.Expectation{"returns 0 and creates volumes": none}
}

// alternating returns drivers whose capacity is declared exact but differs on each read: that is one finding, and not one
// for every case that reads capacity.
func alternating() map[string]mutation.Expectation {
	var asked atomic.Int64
	return map[string]mutation.Expectation{
		"returns a little more every second time": mutation.Wrong(mutation.Answering(func(_ *question, told *answer) {
			told.AvailableCapacity += asked.Add(1) % 2 << 20
		}), mutation.Fails("capacity_asked_again", "CAP-12"),
			mutation.Skips("capacity_falls_by_volume capacity_falls_in_its_segment capacity_falls_in_both_segments "+exactly, suite.ByProfile)),
	}
}
