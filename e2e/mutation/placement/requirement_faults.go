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

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongLists returns drivers that are wrong about lists of topologies that are not in the specification's examples.
func wrongLists() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"drops topologies that a list repeats": mutation.Wide(asking(func(r *createRequest) {
			required := r.GetAccessibilityRequirements()
			required.Requisite, required.Preferred = once(required.GetRequisite()), once(required.GetPreferred())
			if len(required.GetRequisite())+len(required.GetPreferred()) == 0 {
				r.AccessibilityRequirements = nil
			}
		}, hasRequirement), mutation.Fails("requisite_repeated", "TR-04"),
			mutation.Fails("preferred_repeated preferred_repeated_two_topologies", "PF-03")),
		"takes a repeated topology twice": mutation.Wrong(mutation.AnsweringVolume(func(r *createRequest, v *csi.Volume) {
			required := r.GetAccessibilityRequirements()
			for _, list := range [][]*csi.Topology{required.GetRequisite(), required.GetPreferred()} {
				if len(v.GetAccessibleTopology()) == 2 && len(once(list)) < len(list) {
					v.AccessibleTopology = list[:2]
				}
			}
		}), mutation.Fails("requisite_repeated_two_topologies preferred_repeated_two_topologies", "TR-11")),
		"ignores the order of three preferred for volumes of two": mutation.Wrong(mutation.Asking(func(r *csi.CreateVolumeRequest) {
			if preferred := r.GetAccessibilityRequirements().GetPreferred(); len(r.GetParameters()) > 0 && len(preferred) == 3 {
				slices.Reverse(preferred)
			}
		}), mutation.Fails("preferred_three_two_topologies", "PF-03")),
		"looks beyond requisite for the topologies that preferred lacks": mutation.Wrong(asking(func(r *createRequest) {
			required := r.GetAccessibilityRequirements()
			preferred := once(required.GetPreferred())
			if len(preferred) == 0 || len(preferred) >= xOf(r) || len(required.GetRequisite()) < xOf(r) {
				return
			}
			for _, name := range []string{"Z5", "Z4", "Z3", "Z2"} {
				if other := mutation.Zone(name); !contains(required.GetRequisite(), other) {
					required.Requisite = append(preferred, other)
					return
				}
			}
		}), mutation.Fails("preferred_three_two_topologies", "TR-11")),
		"tries only the first x of requisite": mutation.Wide(asking(func(r *createRequest) {
			required := r.GetAccessibilityRequirements()
			if x := xOf(r); x < len(required.GetRequisite()) {
				required.Requisite, required.Preferred = required.GetRequisite()[:x], nil
			}
		}, hasRequirement), mutation.Warns("requisite_order", "TR-11")).Seen("topolvm 83e3dcee, cinder-csi-plugin c453fb7c9"),
		"tries only the first of preferred": mutation.Wide(asking(func(r *createRequest) {
			required := r.GetAccessibilityRequirements()
			if len(required.GetPreferred()) > 0 && xOf(r) == 1 {
				required.Preferred = required.GetPreferred()[:1]
				required.Requisite = required.GetPreferred()
			}
		}, hasRequirement), mutation.Fails("T-PF-2b", "PF-03")),
		"follows preferred every other time": mutation.Wide(asking(func(r *createRequest) {
			if required := r.GetAccessibilityRequirements(); len(required.GetRequisite()) == 2 && len(required.GetPreferred()) == 1 {
				required.Preferred = slices.DeleteFunc(slices.Clone(required.GetRequisite()), func(t *csi.Topology) bool {
					return contains(required.GetPreferred(), t)
				})
			}
		}, everyOtherTime()), mutation.Fails("T-PF-1a", "PF-03")),
		"x = n: looks for room in the last of requisite only": mutation.Wide(
			mutation.InsteadOf(codes.ResourceExhausted, func(ctx context.Context, right mutation.Right, r *createRequest, exhausted error) (*createResponse, error) {
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
			}), mutation.Fails("T-EQ-2F", "TR-08")),
		"cannot make volumes in its last segment": mutation.Wide(
			mutation.RefusingSome(codes.ResourceExhausted, "Z5 is out of order", func(r *createRequest) bool {
				requisite := r.GetAccessibilityRequirements().GetRequisite()
				return len(requisite) == 1 && mutation.ZoneOf(requisite[0]) == "Z5"
			}), mutation.Fails("requisite_every_segment", "TR-07")),
		"passes over requisite topologies that it does not know, even if it needs them": mutation.Wide(asking(func(r *createRequest) {
			required := r.GetAccessibilityRequirements()
			required.Requisite = slices.DeleteFunc(required.GetRequisite(), func(t *csi.Topology) bool {
				return len(required.GetRequisite()) > 1 && mutation.Unknown(t)
			})
		}, hasRequirement), mutation.Fails("requisite_unknown_needed", "TR-07")).Seen("scaleway-csi v0.3.6"),
		"fails where it would have to choose topologies beside requisite": mutation.Wide(
			mutation.RefusingSome(codes.Internal, "requisite has one topology, and the volume needs two", func(r *createRequest) bool {
				required := r.GetAccessibilityRequirements()
				return xOf(r) == 2 && len(required.GetRequisite()) == 1 && len(required.GetPreferred()) == 0
			}), mutation.Fails("T-GT-1", "TR-15")),
		"uses the first of preferred alone every other time": mutation.Wide(asking(func(r *createRequest) {
			if required := r.GetAccessibilityRequirements(); len(required.GetRequisite()) == 0 {
				slices.Reverse(required.GetPreferred())
			}
		}, everyOtherTime()), mutation.Fails("T-PO-1", "PF-03")),
		"refuses a requirement of which it does not know a part": mutation.Wrong(
			refusing(codes.InvalidArgument, mutation.Unknown),
			mutation.Warns("requisite_unknown_beside_known preferred_unknown", "GEN-12")),
		"gives up preferred when it does not know the first of it": mutation.Wrong(asking(func(r *createRequest) {
			required := r.GetAccessibilityRequirements()
			if len(required.GetRequisite()) > 0 && len(required.GetPreferred()) > 0 && mutation.Unknown(required.GetPreferred()[0]) {
				required.Preferred = nil
			}
		}), mutation.Fails("preferred_unknown", "PF-03")),
	}
}

// wrongTerms returns drivers that are wrong about topologies that are not their segments.
func wrongTerms() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"takes a topology with fewer keys for any": mutation.Wide(asking(func(r *createRequest) {
			if slices.ContainsFunc(r.GetAccessibilityRequirements().GetRequisite(), isPartial) {
				r.AccessibilityRequirements = nil
			}
		}), mutation.Fails("requisite_narrow_key", "TR-04")),
		// hetzner's csi-driver does so if preferred begins with a term of another key (issue 1428).
		"reads the first of preferred alone, and takes its own location where a key is missing there": mutation.Wide(asking(func(r *createRequest) {
			required := r.GetAccessibilityRequirements()
			if len(required.GetPreferred()) > 1 && isPartial(required.GetPreferred()[0]) {
				own := maps.Clone(required.GetPreferred()[1].GetSegments())
				own[topology.ZoneKey] = "Z2"
				required.Requisite, required.Preferred = []*csi.Topology{{Segments: own}}, nil
			}
		}), mutation.Fails("requisite_mixed_narrow", "TR-04")).Seen("hetznercloud csi-driver issue 1428"),
		"answers with the first topology that it was asked for": mutation.Wide(mutation.AnsweringVolume(func(r *createRequest, v *csi.Volume) {
			if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) > 0 && isPartial(requisite[0]) {
				v.AccessibleTopology = requisite[:1]
			}
		}), mutation.Warns("requisite_wide_key requisite_mixed_wide", "VOL-19")),
		"refuses topologies with fewer keys than its own": mutation.Wide(refusing(codes.InvalidArgument, isPartial),
			mutation.Warns("requisite_narrow_key requisite_wide_key", "TR-04")),
		"passes over keys that it does not know": mutation.Wide(asking(func(r *createRequest) {
			for _, t := range r.GetAccessibilityRequirements().GetRequisite() {
				maps.DeleteFunc(t.GetSegments(), func(key, _ string) bool {
					return !strings.EqualFold(key, topology.RegionKey) && !strings.EqualFold(key, topology.ZoneKey)
				})
			}
		}), mutation.Warns("requisite_unknown_key requisite_empty_key", "GEN-12")),
		"compares keys by letter case": mutation.Wide(refusing(codes.InvalidArgument, func(t *csi.Topology) bool {
			_, found := t.GetSegments()[strings.ReplaceAll(topology.ZoneKey, "zone", "ZONE")]
			return found
		}), mutation.Warns("requisite_key_in_other_case", "TO-07")),
		"compares values without letter case": mutation.Wide(asking(func(r *createRequest) {
			for _, t := range r.GetAccessibilityRequirements().GetRequisite() {
				for key, value := range t.GetSegments() {
					if strings.HasPrefix(value, "z") || value == "r1" {
						t.Segments[key] = strings.ToUpper(value)
					}
				}
			}
		}), mutation.Warns("requisite_value_in_other_case", "TR-04")),
		"does not care that a key is there twice": mutation.Wide(asking(func(r *createRequest) {
			for _, t := range r.GetAccessibilityRequirements().GetRequisite() {
				if _, found := t.GetSegments()[topology.ZoneKey]; found {
					maps.DeleteFunc(t.GetSegments(), func(key, _ string) bool { return key != topology.ZoneKey && strings.EqualFold(key, topology.ZoneKey) })
					maps.DeleteFunc(t.GetSegments(), func(key, _ string) bool {
						return key != topology.RegionKey && strings.EqualFold(key, topology.RegionKey)
					})
				}
			}
		}), mutation.Warns("requisite_key_twice", "GEN-12")),
		"passes over topologies without segments": mutation.Wide(asking(func(r *createRequest) {
			required := r.GetAccessibilityRequirements()
			required.Requisite = slices.DeleteFunc(required.GetRequisite(), func(t *csi.Topology) bool { return len(t.GetSegments()) == 0 })
		}, hasRequirement), mutation.Warns("requisite_empty_topology", "GEN-12")),
		"takes what is no topology for an internal error": mutation.Wide(refusing(codes.Internal, func(t *csi.Topology) bool {
			const longest = 63
			_, unnamed := t.GetSegments()[""]
			zone, found := t.GetSegments()[topology.ZoneKey]
			return len(t.GetSegments()) == 0 || unnamed || found && zone == "" || len(zone) > longest
		}), mutation.Fails("requisite_empty_topology", "GEN-12"), mutation.Fails("requisite_empty_key", "GEN-12"),
			mutation.Fails("requisite_empty_value", "GEN-12"), mutation.Fails("requisite_long_value", "GEN-12")),
		"takes what is no topology for a full one": mutation.Wide(refusing(codes.ResourceExhausted, func(t *csi.Topology) bool {
			zone, found := t.GetSegments()[topology.ZoneKey]
			return found && zone == ""
		}), mutation.Warns("requisite_empty_value", "GEN-12 TO-09")),
	}
}

// refusing makes a driver that refuses a requirement with a topology that matches.
func refusing(code codes.Code, such func(*csi.Topology) bool) mutation.Fault {
	return mutation.RefusingSome(code, "this topology is not for me", func(r *createRequest) bool {
		required := r.GetAccessibilityRequirements()
		return slices.ContainsFunc(slices.Concat(required.GetRequisite(), required.GetPreferred()), such)
	})
}

func hasRequirement(r *createRequest) bool { return r.GetAccessibilityRequirements() != nil }

// everyOtherTime returns a function that is true for the first of each two requests, the third and so on.
func everyOtherTime() func(*createRequest) bool {
	var requests atomic.Int64
	return func(*createRequest) bool { return requests.Add(1)%2 == 1 }
}

// xOf returns the number of topologies that the volume must be accessible from.
func xOf(r *createRequest) int {
	if r.GetParameters()["zones"] == "2" {
		return 2
	}
	return 1
}

// isPartial reports whether the topology has some of the driver's keys, and not all.
func isPartial(t *csi.Topology) bool { return len(t.GetSegments()) == 1 }

// once returns the topologies of the list without duplicates.
func once(list []*csi.Topology) []*csi.Topology {
	var kept []*csi.Topology
	for i, t := range list {
		if !contains(slices.Concat(list[:i], list[i+1:]), t) {
			kept = append(kept, t)
		}
	}
	return kept
}
