package cluster

import (
	"maps"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// allZones returns every zone; with fewer than n the case is skipped.
func (s *scenario) allZones(n int) []zone {
	ginkgo.GinkgoHelper()
	s.need(s.unzoned, "looking for zones")
	if len(s.all) < n {
		verdict.Skip(verdict.ByEnvironment, "needs %d zones with the driver, found %d: %s", n, len(s.all), strings.Join(zoneNames(s.all...), ", "))
	}
	return s.all
}

// zones returns the first n zones; with fewer the case is skipped.
func (s *scenario) zones(n int) []zone {
	ginkgo.GinkgoHelper()
	return s.allZones(n)[:n]
}

// neighbours returns n zones that differ in nothing but the value of the zone key.
func (s *scenario) neighbours(n int) []zone {
	ginkgo.GinkgoHelper()
	s.need(s.unzoned, "looking for zones")
	byRegion := map[string][]zone{}
	for _, z := range s.all {
		rest := maps.Clone(z.segment)
		delete(rest, s.target.ZoneKey)
		region := predicate.Canonical(rest)
		if byRegion[region] = append(byRegion[region], z); len(byRegion[region]) == n {
			return byRegion[region]
		}
	}
	verdict.Skip(verdict.ByEnvironment, "needs %d zones in one region, found %s", n, strings.Join(zoneNames(s.all...), ", "))
	return nil
}

// allBut returns every zone except this one.
func (s *scenario) allBut(excepted zone) []zone {
	return slices.DeleteFunc(slices.Clone(s.all), func(z zone) bool {
		return predicate.Canonical(z.segment) == predicate.Canonical(excepted.segment)
	})
}

// zoneWithNodes returns a zone with at least n nodes; without one the case is skipped.
func (s *scenario) zoneWithNodes(n int) zone {
	ginkgo.GinkgoHelper()
	s.need(s.unzoned, "looking for zones")
	for _, z := range s.all {
		if len(z.nodes) >= n {
			return z
		}
	}
	verdict.Skip(verdict.ByEnvironment, "needs a zone with %d nodes, found none", n)
	return zone{}
}

// zoneOf is the zone of a pod that was given a node.
func (s *scenario) zoneOf(pod *corev1.Pod) zone {
	ginkgo.GinkgoHelper()
	s.need(s.unzoned, "looking for zones")
	for _, z := range s.all {
		for _, n := range z.nodes {
			if n.name == pod.Spec.NodeName {
				return z
			}
		}
	}
	s.fail("pod %s is on node %q, where the driver is not registered", pod.Name, pod.Spec.NodeName)
	return zone{}
}

// nodeOf is the node that the pod was given.
func (s *scenario) nodeOf(pod *corev1.Pod) node {
	ginkgo.GinkgoHelper()
	for _, n := range s.zoneOf(pod).nodes {
		if n.name == pod.Spec.NodeName {
			return n
		}
	}
	return node{}
}

// accessibleFrom returns the parameters of volumes that x topologies reach; a driver
// without such volumes is not asked for them.
func (s *scenario) accessibleFrom(x int) map[string]string {
	ginkgo.GinkgoHelper()
	parameters := s.target.AccessibleFrom(x)
	if parameters == nil && x > 1 {
		verdict.Skip(verdict.ByProfile, "the profile names no parameters for volumes accessible from %d topologies", x)
	}
	return parameters
}

// mustGrowVolumes skips the case of a driver that does not claim to expand volumes,
// wherever it does that.
func (s *scenario) mustGrowVolumes() {
	ginkgo.GinkgoHelper()
	if !s.driver.first().grows {
		verdict.Skip(verdict.ByCapability, "the plugin does not claim VolumeExpansion")
	}
}

// mustHaveOneProvisioner skips the case where each node has a provisioner of its own: they
// take the claims that bind immediately as they come, and only those they have room for, so
// that nobody chooses among zones.
func (s *scenario) mustHaveOneProvisioner() {
	ginkgo.GinkgoHelper()
	if s.driver.perNode {
		verdict.Skip(verdict.ByEnvironment, "needs one provisioner for all zones, found one on each node")
	}
}

// mustClaim skips the case of a driver that does not claim the capability.
func (s *scenario) mustClaim(c capability) {
	ginkgo.GinkgoHelper()
	if !s.driver.claims(c) {
		verdict.Skip(verdict.ByCapability, "the driver's controller does not claim %s", c)
	}
}
