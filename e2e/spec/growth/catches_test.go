package growth_test

import "github.com/csi-topo/csi-topo/e2e/spec/spectest"

const (
	withoutRoom = "grow_full_segment grow_beyond_room grow_two_zones_one_full"
	invalid     = "grow_empty_range grow_invalid_range grow_unsupported_capability"
	ofCapacity  = "growth_in_one_zone growth_in_both_zones grow_at_once"
)

// catches has every fault of the controller, and which cases must catch it for which reason.
var catches = map[string][]spectest.Case{
	"says that a volume grew, and left it": {
		spectest.Fails("grow_offline grow_online grow_no_capability grow_block", "the capacity_bytes that the volume has after expansion (CE-13)"),
		spectest.Fails("growth_in_one_zone growth_in_both_zones", "33554432 should be taken, and 16777216 are"),
		spectest.Fails("grow_to_smaller", "expansion never shrinks a volume"),
	},
	"answers with the size from before": {
		spectest.Fails("grow_offline grow_online grow_no_capability grow_block", "at least required_bytes (CR-03)"),
		spectest.Passes("grow_keeps_topology growth_in_one_zone growth_in_both_zones", ""),
		spectest.Fails("grow_limit", "the volume has at least required_bytes (CR-03)"),
	},
	"needs a volume_capability": {
		spectest.Fails("grow_no_capability", "a volume can grow to 33554432 bytes (CE-01)\ngot: INVALID_ARGUMENT"),
	},
	"ignores volume_capability": {
		spectest.Fails("grow_unsupported_capability", "is INVALID_ARGUMENT (CE-16)\ngot: OK"),
	},
	"does not grow block volumes": {
		spectest.Fails("grow_block", "got: INTERNAL: \"resize2fs"),
	},
	"claims ONLINE, and refuses published volumes": {
		spectest.Fails("grow_online", "a volume can grow to 33554432 bytes (CE-01)\ngot: FAILED_PRECONDITION"),
	},
	"does not claim ONLINE, and grows published volumes": {
		spectest.Fails("grow_published_offline", "a published volume is not expanded without ONLINE: FAILED_PRECONDITION (CE-18)\ngot: OK"),
		spectest.Skips("grow_online", "does not list VolumeExpansion ONLINE"),
	},
	"a repeated growth is an error": {
		spectest.Fails("grow_again", "the same growth again is idempotent (CE-02)\ngot: INTERNAL"),
		spectest.Fails("grow_at_once", "a volume can grow to 33554432 bytes (CE-01)\ngot: INTERNAL"),
	},
	"a repeated growth takes the room again": {
		spectest.Fails("grow_again", "the same growth again takes nothing (CE-02)"),
		spectest.Fails("grow_to_smaller", "nothing was to be done (CE-03)"),
		spectest.Fails("grow_at_once", "taken once (CE-02)"),
	},
	"shrinks": {
		spectest.Fails("grow_to_smaller", "expansion never shrinks a volume: it has the capacity that it had (CE-13)"),
	},
	"a smaller size is out of range": {
		spectest.Warns("grow_to_smaller", "which should be OK (CE-03)"),
	},
	"ignores limit_bytes": {
		spectest.Fails("grow_limit grow_limit_only", "the volume has at most limit_bytes (CR-05)"),
		spectest.Fails("grow_limit_below_size", "a volume that is larger than limit_bytes neither shrinks nor grows"),
	},
	"OK to a limit below the size": {
		spectest.Warns("grow_limit_below_size", "it must not be bigger (CR-05)"),
	},
	"shrinks to limit_bytes": {
		spectest.Fails("grow_limit_below_size", "a volume that is larger than limit_bytes neither shrinks nor grows"),
	},
	"limit_bytes alone is invalid": {
		spectest.Fails("grow_limit_only", "one of required_bytes and limit_bytes is enough (CR-02)"),
	},
	"OK to what is invalid": {
		spectest.Fails(invalid, "the call was not refused"),
	},
	"INTERNAL to what is invalid": {
		spectest.Fails(invalid, "its code is INTERNAL, not INVALID_ARGUMENT"),
	},
	"OK to an unknown volume": {
		spectest.Fails("grow_unknown_volume", "a volume that does not exist is NOT_FOUND (CE-17)\ngot: OK"),
	},
	"INTERNAL to an unknown volume": {
		spectest.Fails("grow_unknown_volume", "its code is INTERNAL, not NOT_FOUND"),
	},
	"no message with a refusal": {
		spectest.Fails(withoutRoom+" "+invalid+" grow_unknown_volume grow_limit_below_size", "no message that a human could read (GEN-15)"),
	},
	"INTERNAL without room": {
		spectest.Fails(withoutRoom, "its code is INTERNAL, not OUT_OF_RANGE or RESOURCE_EXHAUSTED"),
	},
	"OK without room": {
		spectest.Fails(withoutRoom, "the call was not refused"),
	},
	"OUT_OF_RANGE without room": {
		spectest.Passes(withoutRoom, ""),
	},
	"a refused growth shows in the size": {
		spectest.Fails(withoutRoom, "the capacity_bytes that the volume has after expansion (CE-13)"),
	},
	"a refused growth takes room": {
		spectest.Fails(withoutRoom, "a growth that is refused takes nothing"),
	},
	"capacity is negative after a refusal": {
		spectest.Fails(withoutRoom, "a growth that is refused takes nothing"),
	},
	"a growth is not taken from capacity": {
		spectest.Fails(ofCapacity, "33554432 should be taken, and 16777216 are"),
	},
	"a growth is taken twice": {
		spectest.Fails(ofCapacity, "33554432 should be taken, and 50331648 are"),
	},
	"a growth is taken from one of two segments": {
		spectest.Fails("growth_in_both_zones", "33554432 should be taken, and 16777216 are"),
	},
	"a growth makes capacity negative": {
		spectest.Fails(ofCapacity, "that is negative (CAP-13)"),
	},
	"a grown volume moves": {
		spectest.Fails("grow_keeps_topology", "growth does not move a volume (LV-08)"),
	},
	"volume_context changes with the size": {
		spectest.Fails("grow_keeps_topology", "it is immutable (VOL-08)"),
	},
	"reports neither accessible_topology nor volume_context": {
		spectest.Passes("grow_keeps_topology", ""),
	},
	"reports no accessible_topology of a grown volume": {
		spectest.Fails("grow_keeps_topology", "growth does not move a volume (LV-08)"),
	},
	"INTERNAL while another growth is pending": {
		spectest.Warns("grow_at_once", "several calls at once should be answered, or be ABORTED (GEN-02), and one was refused: rpc error: code = Internal"),
	},
	"ABORTED while another growth is pending": {
		spectest.Passes("grow_at_once", ""),
	},
	"node_expansion_required is false": {
		spectest.Passes("grow_offline grow_block", ""),
	},
}
