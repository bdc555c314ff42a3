// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongLists are drivers that are wrong about lists of topologies that the specification's examples do not have.
func wrongLists() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"drops topologies that a list repeats": {
			Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
				required := r.GetAccessibilityRequirements()
				required.Requisite, required.Preferred = once(required.GetRequisite()), once(required.GetPreferred())
				if len(required.GetRequisite())+len(required.GetPreferred()) == 0 {
					r.AccessibilityRequirements = nil
				}
			}, hasRequirement)),
			Cases: []mutation.Case{
				mutation.Fails("requisite_repeated", "TR-04"),
				mutation.Fails("preferred_repeated preferred_repeated_two_topologies", "PF-03"),
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
			Cases: []mutation.Case{
				mutation.Fails("requisite_repeated_two_topologies preferred_repeated_two_topologies", "TR-11"),
			},
		},
		"tries only the first x of requisite": {
			Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
				required := r.GetAccessibilityRequirements()
				if x := xOf(r); x < len(required.GetRequisite()) {
					required.Requisite, required.Preferred = required.GetRequisite()[:x], nil
				}
			}, hasRequirement)),
			Cases: []mutation.Case{
				mutation.Warns("requisite_order", "TR-11"),
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
			Cases: []mutation.Case{
				mutation.Fails("T-PF-2b", "PF-03"),
			},
			Wide: true,
		},
		"follows preferred every other time": {
			Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
				if required := r.GetAccessibilityRequirements(); len(required.GetRequisite()) == 2 && len(required.GetPreferred()) == 1 {
					required.Preferred = slices.DeleteFunc(slices.Clone(required.GetRequisite()), func(t *csi.Topology) bool {
						return contains(required.GetPreferred(), t)
					})
				}
			}, everyOtherTime())),
			Cases: []mutation.Case{mutation.Fails("T-PF-1a", "PF-03")},
			Wide:  true,
		},
		"x = n: looks for room in the last of requisite only": {
			Driver: wrong(whenFull(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest, exhausted error) (*csi.CreateVolumeResponse, error) {
				requisite := r.GetAccessibilityRequirements().GetRequisite()
				if len(requisite) != 2 || xOf(r) != 2 {
					return nil, exhausted
				}
				r.AccessibilityRequirements.Requisite = requisite[1:]
				response, err := right.CreateVolume(ctx, r)
				if err == nil {
					response.Volume.AccessibleTopology = requisite
				}
				return response, err
			})),
			Cases: []mutation.Case{mutation.Fails("T-EQ-2F", "TR-08")},
			Wide:  true,
		},
		"cannot make volumes in its last segment": {
			Driver: wrong(creating(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
				if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) == 1 && zoneOf(requisite[0]) == "Z5" {
					return nil, status.Error(codes.ResourceExhausted, "Z5 is out of order")
				}
				return right.CreateVolume(ctx, r)
			})),
			Cases: []mutation.Case{
				mutation.Fails("requisite_every_segment", "TR-07"),
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
			Cases: []mutation.Case{
				mutation.Fails("requisite_unknown_needed", "TR-07"),
			},
			Wide: true,
		},
		"fails where it would have to choose topologies beside requisite": {
			Driver: wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
				if required := r.GetAccessibilityRequirements(); r.GetParameters()["zones"] == "2" && len(required.GetRequisite()) == 1 && len(required.GetPreferred()) == 0 {
					return nil, status.Error(codes.Internal, "requisite has one topology, and the volume needs two")
				}
				return right.CreateVolume(ctx, r)
			})),
			Cases: []mutation.Case{mutation.Fails("T-GT-1", "TR-15")},
			Wide:  true,
		},
		"uses the first of preferred alone every other time": {
			Driver: wrong(everyOther(func(r *csi.CreateVolumeRequest) {
				if required := r.GetAccessibilityRequirements(); len(required.GetRequisite()) == 0 {
					slices.Reverse(required.GetPreferred())
				}
			})),
			Cases: []mutation.Case{mutation.Fails("T-PO-1", "PF-03")},
			Wide:  true,
		},
		"refuses a requirement of which it does not know a part": {
			Driver: wrong(refusing(codes.InvalidArgument, func(t *csi.Topology) bool { return zoneOf(t) == "csi-topo-nowhere" })),
			Cases: []mutation.Case{
				mutation.Warns("requisite_unknown_beside_known preferred_unknown", "GEN-12"),
			},
		},
		"gives up preferred when it does not know the first of it": {
			Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
				required := r.GetAccessibilityRequirements()
				if len(required.GetRequisite()) > 0 && len(required.GetPreferred()) > 0 && zoneOf(required.GetPreferred()[0]) == "csi-topo-nowhere" {
					required.Preferred = nil
				}
			})),
			Cases: []mutation.Case{mutation.Fails("preferred_unknown", "PF-03")},
		},
	}
}

// wrongTerms are drivers that are wrong about topologies which are none of their segments.
func wrongTerms() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"takes a topology with fewer keys for any": {
			Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
				if slices.ContainsFunc(r.GetAccessibilityRequirements().GetRequisite(), isPartial) {
					r.AccessibilityRequirements = nil
				}
			})),
			Cases: []mutation.Case{mutation.Fails("requisite_narrow_key", "TR-04")},
		},
		"answers with the topology that it was asked for": {
			Driver: wrong(answering(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
				if requisite := r.GetAccessibilityRequirements().GetRequisite(); slices.ContainsFunc(requisite, isPartial) {
					v.AccessibleTopology = requisite
				}
			})),
			Cases: []mutation.Case{
				mutation.Warns("requisite_wide_key", "VOL-19"),
			},
		},
		"refuses topologies with fewer keys than its own": {
			Driver: wrong(refusing(codes.InvalidArgument, isPartial)),
			Cases:  []mutation.Case{mutation.Warns("requisite_narrow_key requisite_wide_key", "TR-04")},
		},
		"passes over keys that it does not know": {
			Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
				for _, t := range r.GetAccessibilityRequirements().GetRequisite() {
					maps.DeleteFunc(t.GetSegments(), func(key, _ string) bool {
						return !strings.EqualFold(key, regionKey) && !strings.EqualFold(key, zoneKey)
					})
				}
			})),
			Cases: []mutation.Case{
				mutation.Warns("requisite_unknown_key requisite_empty_key", "GEN-12"),
			},
		},
		"compares keys by letter case": {
			Driver: wrong(refusing(codes.InvalidArgument, func(t *csi.Topology) bool {
				_, found := t.GetSegments()[strings.ReplaceAll(zoneKey, "zone", "ZONE")]
				return found
			})),
			Cases: []mutation.Case{mutation.Warns("requisite_key_in_other_case", "TO-07")},
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
			Cases: []mutation.Case{mutation.Warns("requisite_value_in_other_case", "TR-04")},
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
			Cases: []mutation.Case{mutation.Warns("requisite_key_twice", "GEN-12")},
		},
		"passes over topologies without segments": {
			Driver: wrong(asking(func(r *csi.CreateVolumeRequest) {
				required := r.GetAccessibilityRequirements()
				required.Requisite = slices.DeleteFunc(required.GetRequisite(), func(t *csi.Topology) bool { return len(t.GetSegments()) == 0 })
			}, hasRequirement)),
			Cases: []mutation.Case{mutation.Warns("requisite_empty_topology", "GEN-12")},
		},
		"takes what is no topology for an internal error": {
			Driver: wrong(refusing(codes.Internal, func(t *csi.Topology) bool {
				const longest = 63
				_, unnamed := t.GetSegments()[""]
				zone, found := t.GetSegments()[zoneKey]
				return len(t.GetSegments()) == 0 || unnamed || found && zone == "" || len(zone) > longest
			})),
			Cases: []mutation.Case{
				mutation.Fails("requisite_empty_topology", "GEN-12"),
				mutation.Fails("requisite_empty_key", "GEN-12"),
				mutation.Fails("requisite_empty_value", "GEN-12"),
				mutation.Fails("requisite_long_value", "GEN-12"),
			},
		},
		"takes what is no topology for a full one": {
			Driver: wrong(refusing(codes.ResourceExhausted, func(t *csi.Topology) bool {
				zone, found := t.GetSegments()[zoneKey]
				return found && zone == ""
			})),
			Cases: []mutation.Case{mutation.Warns("requisite_empty_value", "GEN-12 TO-09")},
		},
	}
}

// wrong is a driver with the fault.
func wrong(fault mutation.Fault) mutation.Driver {
	return mutation.Driver{Fault: fault}
}

// refusing makes a driver that refuses a requirement with such a topology.
func refusing(code codes.Code, such func(*csi.Topology) bool) mutation.Fault {
	return creating(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
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

// everyOtherTime is true of the first of each two requests, the third and so on.
func everyOtherTime() func(*csi.CreateVolumeRequest) bool {
	var requests atomic.Int64
	return func(*csi.CreateVolumeRequest) bool { return requests.Add(1)%2 == 1 }
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

// everyOther makes a driver that reads every second request otherwise.
func everyOther(change func(*csi.CreateVolumeRequest)) mutation.Fault {
	var calls atomic.Int64
	return asking(func(r *csi.CreateVolumeRequest) {
		if calls.Add(1)%2 == 0 {
			change(r)
		}
	})
}
