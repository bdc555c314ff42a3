// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity"
	"github.com/csi-topo/csi-topo/e2e/internal/target/describe"
	"github.com/csi-topo/csi-topo/e2e/internal/target/endpoint"
	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// describeTo fills in the driver's identity and the environment of the run, with names edited by shown.
func describeTo(ctx context.Context, c *endpoint.Connections, r *report.ConformanceReport, driver report.Driver, shown func(string) string) {
	driver.Name, driver.Version = shown(driver.Name), shown(driver.Version)
	r.Driver, r.Environment.Nodes = driver, len(c.Nodes)
	for _, at := range segments(c) {
		name := at.Topology.String()
		if name == "" {
			continue
		}
		segment := report.Segment{Name: shown(name), Topology: map[string]string{}, Bytes: describe.Available(ctx, c.Controller, at.Topology)}
		for key, value := range at.Topology {
			segment.Topology[shown(key)] = shown(value)
		}
		for _, node := range c.Nodes {
			if model.Segment(node.Info.GetAccessibleTopology().GetSegments()).String() == name {
				segment.Nodes = append(segment.Nodes, shown(node.Info.GetNodeId()))
			}
		}
		r.Environment.Zones = append(r.Environment.Zones, segment.Name)
		r.Environment.Segments = append(r.Environment.Segments, segment)
	}
}

// segments returns the places where csi-sanity runs: the first node of each segment. A node without topology is left out if
// others have one, because it reaches no volume that has a topology.
func segments(c *endpoint.Connections) []sanity.Segment {
	var found []sanity.Segment
	seen := map[string]bool{}
	for i, node := range c.Nodes {
		segment := sanity.Segment{
			Topology:   node.Info.GetAccessibleTopology().GetSegments(),
			Controller: c.ControllerTarget,
			Node:       node.Target,
			NodeID:     node.Info.GetNodeId(),
			Index:      i,
		}
		if name := segment.Topology.String(); !seen[name] {
			seen[name] = true
			found = append(found, segment)
		}
	}
	if len(found) > 1 {
		found = slices.DeleteFunc(found, func(s sanity.Segment) bool { return len(s.Topology) == 0 })
	}
	return found
}

// moreEndpoints describes in a sentence what more node endpoints would show. It is empty if no case lacked one.
func moreEndpoints(c *endpoint.Connections, r *report.ConformanceReport) string {
	nodes, segments := 0, 0 // cases that lack them
	for _, result := range r.Cases {
		switch {
		case result.Verdict != suite.Skipped:
		case strings.HasPrefix(result.Reason, "node endpoints given: "):
			nodes++
		case strings.HasPrefix(result.Reason, "topology segments that the driver has: "):
			segments++
		}
	}
	skipped := nodes + segments
	each := ""
	if segments > 0 { // a driver without topologies has no cases that lack them
		each = " in each topology segment"
	}
	switch {
	case skipped == 0:
		return ""
	case c.ControllerIsNode:
		return fmt.Sprintf("The controller's endpoint serves the Node service too and stood for one node; with a --node-endpoint%s, up to %d more cases can be run.", each, skipped)
	case len(c.Nodes) == 0 && segments > 0:
		return fmt.Sprintf("No node endpoint was given; with a --node-endpoint%s, up to %d more cases can be run, and up to %d of them with the segments in the profile instead.", each, skipped, segments)
	case len(c.Nodes) == 0:
		return fmt.Sprintf("No node endpoint was given; with a --node-endpoint, up to %d more cases can be run, and csi-sanity.", skipped)
	case segments > 0:
		return fmt.Sprintf("Node endpoints given: %d; with one%s, or the segments in the profile, up to %d more cases can be run.", len(c.Nodes), each, skipped)
	default:
		return fmt.Sprintf("Node endpoints given: %d; with more of them, up to %d more cases can be run.", len(c.Nodes), skipped)
	}
}
