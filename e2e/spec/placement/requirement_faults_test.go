package placement_test

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// wrongLists are drivers that are wrong about lists of topologies that the specification's examples do not have.
var wrongLists = map[string]spectest.Expectation{
	"drops topologies that a list repeats": {
		Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
			required := r.GetAccessibilityRequirements()
			required.Requisite, required.Preferred = once(required.GetRequisite()), once(required.GetPreferred())
			if len(required.GetRequisite())+len(required.GetPreferred()) == 0 {
				r.AccessibilityRequirements = nil
			}
		}, hasRequirement)),
		Cases: []spectest.Case{
			spectest.Fails("requisite_repeated", "the volume is accessible from at least one requisite topology (TR-04)"),
			spectest.Fails("preferred_repeated preferred_repeated_two_topologies", "a better one was possible (PF-03)"),
		},
		Wide: true,
	},
	"takes a repeated topology twice": {
		Driver: wrong(answering(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
			required := r.GetAccessibilityRequirements()
			for _, list := range [][]*csi.Topology{required.GetRequisite(), required.GetPreferred()} {
				if len(v.GetAccessibleTopology()) == 2 && len(once(list)) < len(list) {
					v.AccessibleTopology = list[:2]
				}
			}
		})),
		Cases: []spectest.Case{
			spectest.Fails("requisite_repeated_two_topologies preferred_repeated_two_topologies", "the topologies are x unique ones (TR-11)"),
		},
	},
	"tries only the first x of requisite": {
		Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
			required := r.GetAccessibilityRequirements()
			if x := xOf(r); x < len(required.GetRequisite()) {
				required.Requisite, required.Preferred = required.GetRequisite()[:x], nil
			}
		}, hasRequirement)),
		Cases: []spectest.Case{
			spectest.Fails("requisite_order filled_x_less_than_n filled_two_of_n", "x unique topologies of requisite (TR-11)"),
		},
		Wide: true,
	},
	"tries only the first of preferred": {
		Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
			required := r.GetAccessibilityRequirements()
			if len(required.GetPreferred()) > 0 && xOf(r) == 1 {
				required.Preferred = required.GetPreferred()[:1]
				required.Requisite = required.GetPreferred()
			}
		}, hasRequirement)),
		Cases: []spectest.Case{
			spectest.Fails("filled_in_order_of_preference T-PF-2b", "the preferred topologies are used in order, first to last (PF-03)"),
		},
		Wide: true,
	},
	"cannot make volumes in its last segment": {
		Driver: wrong(creating(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) == 1 && zoneOf(requisite[0]) == "Z5" {
				return nil, status.Error(codes.ResourceExhausted, "Z5 is out of order")
			}
			return right.CreateVolume(ctx, r)
		})),
		Cases: []spectest.Case{
			spectest.Fails("requisite_every_segment", "it is refused though {topology.hostpath.topo.csi/region=R1,topology.hostpath.topo.csi/zone=Z5} is possible"),
		},
		Wide: true,
	},
	"passes over requisite topologies that it does not know, even if it needs them": {
		Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
			required := r.GetAccessibilityRequirements()
			required.Requisite = slices.DeleteFunc(required.GetRequisite(), func(t *csi.Topology) bool {
				return len(required.GetRequisite()) > 1 && zoneOf(t) == "csi-topo-nowhere"
			})
		}, hasRequirement)),
		Cases: []spectest.Case{
			spectest.Fails("requisite_unknown_needed", "x = n: the volume is available in all requisite topologies"),
		},
		Wide: true,
	},
	"refuses a requirement of which it does not know a part": {
		Driver: wrong(refusing(codes.InvalidArgument, func(t *csi.Topology) bool { return zoneOf(t) == "csi-topo-nowhere" })),
		Cases: []spectest.Case{
			spectest.Warns("requisite_unknown_beside_known preferred_unknown", "an unsupported value is INVALID_ARGUMENT"),
		},
	},
	"gives up preferred when it does not know the first of it": {
		Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
			required := r.GetAccessibilityRequirements()
			if len(required.GetRequisite()) > 0 && len(required.GetPreferred()) > 0 && zoneOf(required.GetPreferred()[0]) == "csi-topo-nowhere" {
				required.Preferred = nil
			}
		})),
		Cases: []spectest.Case{spectest.Fails("preferred_unknown", "a better one was possible (PF-03)")},
	},
}

// wrongTerms are drivers that are wrong about topologies which are none of their segments.
var wrongTerms = map[string]spectest.Expectation{
	"takes a topology with fewer keys for any": {
		Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
			if slices.ContainsFunc(r.GetAccessibilityRequirements().GetRequisite(), isPartial) {
				r.AccessibilityRequirements = nil
			}
		})),
		Cases: []spectest.Case{spectest.Fails("requisite_narrow_key", "the volume is accessible from at least one requisite topology (TR-04)")},
	},
	"answers with the topology that it was asked for": {
		Driver: wrong(answering(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); slices.ContainsFunc(requisite, isPartial) {
				v.AccessibleTopology = requisite
			}
		})),
		Cases: []spectest.Case{
			spectest.Fails("requisite_wide_key", "the volume is accessible from x = 1 topologies, not from 4 (TR-07)"),
		},
	},
	"refuses topologies with fewer keys than its own": {
		Driver: wrong(refusing(codes.InvalidArgument, isPartial)),
		Cases:  []spectest.Case{spectest.Warns("requisite_narrow_key requisite_wide_key", "Kubernetes sends them for allowedTopologies")},
	},
	"passes over keys that it does not know": {
		Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
			for _, t := range r.GetAccessibilityRequirements().GetRequisite() {
				maps.DeleteFunc(t.GetSegments(), func(key, _ string) bool {
					return !strings.EqualFold(key, regionKey) && !strings.EqualFold(key, zoneKey)
				})
			}
		})),
		Cases: []spectest.Case{
			spectest.Warns("requisite_unknown_key", "the request has a key that the segment does not have"),
			spectest.Warns("requisite_empty_key", "has no name, which is required (TO-02)"),
		},
	},
	"compares keys by letter case": {
		Driver: wrong(refusing(codes.InvalidArgument, func(t *csi.Topology) bool {
			_, found := t.GetSegments()[strings.ReplaceAll(zoneKey, "zone", "ZONE")]
			return found
		})),
		Cases: []spectest.Case{spectest.Warns("requisite_key_in_other_case", "keys are case-insensitive, though many drivers compare them as Kubernetes does")},
	},
	"compares values without letter case": {
		Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
			for _, t := range r.GetAccessibilityRequirements().GetRequisite() {
				for key, value := range t.GetSegments() {
					if strings.HasPrefix(value, "z") || value == "r1" {
						t.Segments[key] = strings.ToUpper(value)
					}
				}
			}
		})),
		Cases: []spectest.Case{spectest.Warns("requisite_value_in_other_case", "nothing says that values are case-insensitive (TR-04)")},
	},
	"does not care that a key is there twice": {
		Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
			for _, t := range r.GetAccessibilityRequirements().GetRequisite() {
				if _, found := t.GetSegments()[zoneKey]; found {
					maps.DeleteFunc(t.GetSegments(), func(key, _ string) bool { return key != zoneKey && strings.EqualFold(key, zoneKey) })
					maps.DeleteFunc(t.GetSegments(), func(key, _ string) bool { return key != regionKey && strings.EqualFold(key, regionKey) })
				}
			}
		})),
		Cases: []spectest.Case{spectest.Warns("requisite_key_twice", "but the request is invalid: keys are case-insensitive")},
	},
	"passes over topologies without segments": {
		Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
			required := r.GetAccessibilityRequirements()
			required.Requisite = slices.DeleteFunc(required.GetRequisite(), func(t *csi.Topology) bool { return len(t.GetSegments()) == 0 })
		}, hasRequirement)),
		Cases: []spectest.Case{spectest.Warns("requisite_empty_topology", "a Topology without segments names nothing")},
	},
	"takes what is no topology for an internal error": {
		Driver: wrong(refusing(codes.Internal, func(t *csi.Topology) bool {
			const longest = 63
			_, unnamed := t.GetSegments()[""]
			zone, found := t.GetSegments()[zoneKey]
			return len(t.GetSegments()) == 0 || unnamed || found && zone == "" || len(zone) > longest
		})),
		Cases: []spectest.Case{
			spectest.Fails("requisite_empty_topology requisite_empty_key requisite_empty_value requisite_long_value", "got: INTERNAL"),
		},
	},
	"takes what is no topology for a full one": {
		Driver: wrong(refusing(codes.ResourceExhausted, func(t *csi.Topology) bool {
			zone, found := t.GetSegments()[zoneKey]
			return found && zone == ""
		})),
		Cases: []spectest.Case{spectest.Warns("requisite_empty_value", "RESOURCE_EXHAUSTED")},
	},
}

// wrong is a driver with the fault.
func wrong(fault spectest.Fault) spectest.Driver {
	return spectest.Driver{Fault: fault}
}

// refusing makes a driver that refuses a requirement with such a topology.
func refusing(code codes.Code, such func(*csi.Topology) bool) spectest.Fault {
	return creating(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		required := r.GetAccessibilityRequirements()
		if slices.ContainsFunc(slices.Concat(required.GetRequisite(), required.GetPreferred()), such) {
			return nil, status.Error(code, "this topology is not for me")
		}
		return right.CreateVolume(ctx, r)
	})
}

func hasRequirement(r *csi.CreateVolumeRequest) bool {
	return r.GetAccessibilityRequirements() != nil
}

// xOf is from how many topologies the volume is to be accessible.
func xOf(r *csi.CreateVolumeRequest) int {
	if r.GetParameters()["zones"] == "2" {
		return 2
	}
	return 1
}

// isPartial reports whether the topology has some of the driver's keys, and not all.
func isPartial(t *csi.Topology) bool {
	return len(t.GetSegments()) == 1
}

// once are the topologies that the list does not repeat.
func once(list []*csi.Topology) []*csi.Topology {
	var kept []*csi.Topology
	for i, t := range list {
		if !contains(slices.Concat(list[:i], list[i+1:]), t) {
			kept = append(kept, t)
		}
	}
	return kept
}
