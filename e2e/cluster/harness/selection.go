// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// AllZones returns every zone that has nodes with the driver, ordered by segment.
func (s *Scenario) AllZones() []Zone { return s.all }

// Segments returns the topologies of all nodes that the driver is registered on, in order.
func (s *Scenario) Segments() []predicate.Segment { return s.segments }

// Zones returns the first n zones; the case needs so many.
func (s *Scenario) Zones(n int) []Zone { return s.all[:n] }

// Neighbours returns n zones that differ in nothing but the value of the zone key; the case needs so many.
func (s *Scenario) Neighbours(n int) []Zone { return s.neighbours(n) }

func (s *Scenario) neighbours(n int) []Zone {
	byRegion := map[string][]Zone{}
	for _, z := range s.all {
		rest := maps.Clone(z.Segment)
		delete(rest, s.Target.ZoneKey)
		region := predicate.Canonical(rest)
		if byRegion[region] = append(byRegion[region], z); len(byRegion[region]) == n {
			return byRegion[region]
		}
	}
	return nil
}

// AllBut returns every zone except this one.
func (s *Scenario) AllBut(excepted Zone) []Zone {
	return slices.DeleteFunc(slices.Clone(s.all), func(z Zone) bool {
		return predicate.Canonical(z.Segment) == predicate.Canonical(excepted.Segment)
	})
}

// ZoneWithNodes returns a zone with at least n nodes; the case needs one.
func (s *Scenario) ZoneWithNodes(n int) Zone { return s.zoneWithNodes(n) }

func (s *Scenario) zoneWithNodes(n int) Zone {
	for _, z := range s.all {
		if len(z.Nodes) >= n {
			return z
		}
	}
	return Zone{}
}

// SmallestZone returns a zone that no other has fewer nodes than; the case needs one.
func (s *Scenario) SmallestZone() Zone {
	return slices.MinFunc(s.all, func(a, b Zone) int { return len(a.Nodes) - len(b.Nodes) })
}

// ZoneOf is the zone of a pod that was given a node.
func (s *Scenario) ZoneOf(pod *corev1.Pod) Zone {
	s.Need(s.unzoned, "looking for zones")
	for _, z := range s.all {
		for _, n := range z.Nodes {
			if n.Name == pod.Spec.NodeName {
				return z
			}
		}
	}
	s.Fail("pod %s is on node %q, where the driver is not registered", pod.Name, pod.Spec.NodeName)
	return Zone{}
}

// NodeOf is the node that the pod was given.
func (s *Scenario) NodeOf(pod *corev1.Pod) Node {
	for _, n := range s.ZoneOf(pod).Nodes {
		if n.Name == pod.Spec.NodeName {
			return n
		}
	}
	return Node{}
}

// AccessibleFrom returns the parameters of volumes that are accessible from x topologies, and have their room where the
// case has its own, if it does; the case needs them.
func (s *Scenario) AccessibleFrom(x int) map[string]string {
	parameters := maps.Clone(s.Target.AccessibleFrom(x))
	if len(s.pool) > 0 && parameters == nil {
		parameters = map[string]string{}
	}
	maps.Copy(parameters, s.pool)
	return parameters
}
