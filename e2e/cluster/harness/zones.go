// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
)

// DiscoverZones finds the driver's zones; all includes zones whose nodes accept no pods.
func DiscoverZones(ctx context.Context, t *Target) (zones, all []topology.Zone, err error) {
	var nodes corev1.NodeList
	if err := t.Client.Resources().List(ctx, &nodes); err != nil {
		return nil, nil, fmt.Errorf("listing nodes: %w", err)
	}
	var registered storagev1.CSINodeList
	if err := t.Client.Resources().List(ctx, &registered); err != nil {
		return nil, nil, fmt.Errorf("listing CSINodes: %w", err)
	}
	return topology.Zones(t.Driver, t.RegionKey, t.ZoneKey, nodes.Items, registered.Items)
}

// Zones returns the first n zones, ordered by segment; the case must need n.
func (s *Scenario) Zones(n int) []topology.Zone { return s.zones[:n] }

// AllZones returns every zone that has nodes with the driver, ordered by segment.
func (s *Scenario) AllZones() []topology.Zone { return s.zones }

// ZoneWithNodes returns a zone with at least n nodes; the case must need one.
func (s *Scenario) ZoneWithNodes(n int) topology.Zone { return topology.WithNodes(s.zones, n) }

// ZoneOf returns the zone of a pod that has a node.
func (s *Scenario) ZoneOf(pod *corev1.Pod) topology.Zone {
	s.Need(s.Unzoned, "looking for zones")
	zone, _ := locate(s, pod)
	return zone
}

// NodeOf returns the node of a pod.
func (s *Scenario) NodeOf(pod *corev1.Pod) topology.Node {
	s.Need(s.Unzoned, "looking for zones")
	_, node := locate(s, pod)
	return node
}

func locate(s *Scenario, pod *corev1.Pod) (topology.Zone, topology.Node) {
	for _, z := range s.zones {
		for _, n := range z.Nodes {
			if n.Name == pod.Spec.NodeName {
				return z, n
			}
		}
	}
	s.Fail("pod %s is on node %q, where the driver is not registered", pod.Name, pod.Spec.NodeName)
	return topology.Zone{}, topology.Node{}
}
