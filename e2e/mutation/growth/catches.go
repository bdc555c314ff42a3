// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	withoutRoom = "grow_full_segment grow_beyond_room grow_two_zones_one_full"
	invalid     = "grow_empty_range grow_invalid_range grow_unsupported_capability"
	ofCapacity  = "growth_in_one_zone growth_in_both_zones grow_at_once grow_cut_short"
)

// catches has every fault of the controller, and which cases must catch it by which clause.
func catches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"says that a volume grew, and left it": {
			mutation.Fails("grow_again grow_online grow_no_capability grow_block grow_to_smaller grow_cut_short", "CE-13"),
			mutation.Fails("growth_in_one_zone growth_in_both_zones", "CAP-07"),
		},
		"answers no capacity_bytes": {
			mutation.Fails("grow_again grow_online grow_no_capability grow_block grow_limit", "CE-13"),
		},
		"answers with the old size": {
			mutation.Fails("grow_again grow_online grow_no_capability grow_block", "CR-03"),
			mutation.Passes("grow_keeps_topology growth_in_one_zone growth_in_both_zones"),
			mutation.Fails("grow_limit", "CR-03"),
		},
		"never has room for a growth": {
			mutation.Warns("growth_in_one_zone growth_in_both_zones", "CAP-07"),
			mutation.Skips("grow_again grow_online", suite.ByEnvironment),
		},
		"needs a volume_capability": {
			mutation.Fails("grow_no_capability", "CE-01"),
		},
		"takes no limit_bytes for a limit of 0": {
			mutation.Fails("grow_again", "CE-01"),
		},
		"ignores volume_capability": {
			mutation.Warns("grow_unsupported_capability", "CE-16"),
		},
		"does not grow block volumes": {
			mutation.Fails("grow_block", "CE-01"),
		},
		"claims ONLINE, and refuses published volumes": {
			mutation.Fails("grow_online", "PC-07"),
		},
		"claims ONLINE, and fails for published volumes": {
			mutation.Fails("grow_online", "PC-07"),
		},
		"claims OFFLINE, and grows published volumes": {
			mutation.Fails("grow_published_offline", "PC-09"),
			mutation.Skips("grow_online", suite.ByCapability),
		},
		"claims OFFLINE, and fails for published volumes": {
			mutation.Fails("grow_published_offline", "CE-18"),
		},
		"a repeated growth is an error": {
			mutation.Fails("grow_again", "CE-02"),
			mutation.Fails("grow_at_once grow_cut_short", "CE-02"),
		},
		"a repeated growth takes the room again": {
			mutation.Fails("grow_again", "CE-02"),
			mutation.Fails("grow_to_smaller grow_at_once grow_cut_short", "CAP-07"),
		},
		"is stuck once a call was cut short": {
			mutation.Fails("grow_cut_short", "CE-02"),
		},
		"fails once after a call was cut short": {
			mutation.Warns("grow_cut_short", "GEN-02"),
		},
		"shrinks": {
			mutation.Fails("grow_to_smaller", "CE-13"),
		},
		"the size that it has is out of range": {
			mutation.Warns("grow_limit_of_size", "CE-03"),
		},
		"a smaller size is out of range": {
			mutation.Warns("grow_to_smaller", "CE-03"),
		},
		"ignores limit_bytes": {
			mutation.Fails("grow_limit_of_size", "CR-05"),
			mutation.Fails("grow_limit grow_limit_only", "CR-05"),
			mutation.Fails("grow_limit_below_size", "CE-13"),
		},
		"rounds up past limit_bytes": {
			mutation.Fails("grow_limit", "CR-05"),
		},
		"rounds down, and does not say so": {
			mutation.Fails("grow_limit grow_beyond_room", "CE-13"),
		},
		"OK to a limit below the size": {
			mutation.Warns("grow_limit_below_size", "CR-05"),
		},
		"shrinks to limit_bytes": {
			mutation.Fails("grow_limit_below_size", "CE-13"),
		},
		"lists the size from before a growth": {
			mutation.Fails("grow_again grow_online grow_cut_short grow_no_capability grow_limit grow_at_once grow_block grow_to_smaller", "CE-13"),
		},
		"limit_bytes alone is invalid": {
			mutation.Warns("grow_limit_only", "CE-19"),
		},
		"grows to its default size for an empty range": {
			mutation.Fails("grow_empty_range", "CR-02"),
		},
		"OK to what is invalid": {
			mutation.Warns("grow_empty_range", "CR-02"),
			mutation.Fails("grow_invalid_range", "CR-05"),
			mutation.Warns("grow_unsupported_capability", "CE-16"),
		},
		"INTERNAL to what is invalid": {
			mutation.Warns("grow_empty_range grow_invalid_range", "GEN-12"),
			mutation.Fails("grow_unsupported_capability", "CE-16"),
		},
		"OK to an unknown volume": {
			mutation.Fails("grow_unknown_volume", "CE-17"),
		},
		"INTERNAL to an unknown volume": {
			mutation.Fails("grow_unknown_volume", "CE-17"),
		},
		"no message with a refusal": {
			mutation.Fails(withoutRoom+" "+invalid+" grow_unknown_volume grow_limit_below_size", "GEN-15"),
		},
		"INTERNAL without room": {
			mutation.Warns(withoutRoom, "CE-19"),
		},
		"OK without room": {
			mutation.Fails(withoutRoom, "CE-13"),
		},
		"OUT_OF_RANGE without room": {
			mutation.Passes(withoutRoom),
		},
		"a refused growth shows in the size": {
			mutation.Warns(withoutRoom, "CE-13"),
		},
		"a refused growth takes room": {
			mutation.Warns("grow_beyond_room", "CAP-07"),
			mutation.Fails("grow_full_segment grow_two_zones_one_full", "CAP-13"),
		},
		"capacity is negative after a refusal": {
			mutation.Fails(withoutRoom, "CAP-13"),
		},
		"a growth is not taken from capacity": {
			mutation.Fails(ofCapacity, "CAP-07"),
		},
		"a growth is taken twice": {
			mutation.Fails(ofCapacity, "CAP-07"),
		},
		"a growth is taken from one of two segments": {
			mutation.Fails("growth_in_both_zones", "CAP-07"),
		},
		"a growth makes capacity negative": {
			mutation.Fails(ofCapacity+" grow_again grow_to_smaller", "CAP-13"),
		},
		"a grown volume moves": {
			mutation.Fails("grow_keeps_topology", "CV-18"),
		},
		"volume_context changes with the size": {
			mutation.Fails("grow_keeps_topology", "VOL-08"),
		},
		"reports neither accessible_topology nor volume_context": {
			mutation.Passes("grow_keeps_topology"),
		},
		"reports no accessible_topology of a grown volume": {
			mutation.Warns("grow_keeps_topology", "LV-08"),
		},
		"INTERNAL while another growth is pending": {
			mutation.Warns("grow_at_once", "GEN-02"),
		},
		"ABORTED while another growth is pending": {
			mutation.Passes("grow_at_once"),
		},
		"node_expansion_required is false": {
			mutation.Passes("grow_again grow_block"),
		},
	}
}
