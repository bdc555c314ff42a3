// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"sync/atomic"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// tellingNone returns drivers that report no capacity and create volumes, on a back end that others use too: what they
// report does not show whether a case can be run.
func tellingNone() map[string]mutation.Expectation {
	none := mutation.Wide(mutation.Answering(func(_ *question, told *answer) {
		told.AvailableCapacity, told.MaximumVolumeSize = 0, nil
	}), mutation.Fails("capacity_where_created", "CAP-12"), mutation.Warns("capacity_for_capabilities", "CAP-02"),
		mutation.Warns("capacity_for_each_kind", "CAP-04"),
		mutation.Passes("capacity_answers capacity_for_unsupported_capabilities capacity_for_refused_parameters capacity_minimum_can_be_had"))
	none.Target = func(t *harness.Target) { t.Profile.Capacity = profile.AtLeast }
	return map[string]mutation.Expectation{"returns 0 and creates volumes": none}
}

// alternating returns drivers whose capacity is called exact, and differs each time that it is read: that is one
// finding, and not one for every case that looks at capacity.
func alternating() map[string]mutation.Expectation {
	var asked atomic.Int64
	return map[string]mutation.Expectation{
		"returns a little more every second time": mutation.Wrong(mutation.Answering(func(_ *question, told *answer) {
			told.AvailableCapacity += asked.Add(1) % 2 << 20
		}), mutation.Fails("capacity_asked_again", "CAP-12"),
			mutation.Skips("capacity_falls_by_volume capacity_falls_in_its_segment capacity_falls_in_both_segments "+exactly, suite.ByProfile)),
	}
}
