package main

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/report"
)

// describe fills in what the driver says of itself, and where the run took place.
func (c *connections) describe(ctx context.Context, r *report.ConformanceReport) {
	r.Driver = describeDriver(ctx, c.controller)
	r.Environment.Nodes = len(c.nodes)
	byName := map[string]*report.Segment{}
	for _, segment := range c.segments() {
		name := segment.Topology.String()
		if name == "" {
			continue
		}
		byName[name] = &report.Segment{Name: name, Topology: segment.Topology, Bytes: available(ctx, c.controller, segment.Topology)}
		r.Environment.Zones = append(r.Environment.Zones, name)
	}
	for _, node := range c.infos {
		if at := byName[model.Segment(node.GetAccessibleTopology().GetSegments()).String()]; at != nil {
			at.Nodes = append(at.Nodes, node.GetNodeId())
		}
	}
	for _, name := range r.Environment.Zones {
		r.Environment.Segments = append(r.Environment.Segments, *byName[name])
	}
}

// available is what the driver says is free in the segment; nil where it does not say.
func available(ctx context.Context, controller grpc.ClientConnInterface, segment map[string]string) *int64 {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	answer, err := csi.NewControllerClient(controller).GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: &csi.Topology{Segments: segment}})
	if err != nil {
		return nil
	}
	return &answer.AvailableCapacity
}

// describeDriver asks a driver for its name, version and capabilities. A report is written after an interrupt too, so
// nothing but a deadline ends it, and an answer that fails to come leaves its field empty: the cases have judged it.
func describeDriver(ctx context.Context, controller grpc.ClientConnInterface) report.Driver {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()

	described := report.Driver{Capabilities: []string{}}
	identity := csi.NewIdentityClient(controller)
	if info, err := identity.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}); err == nil {
		described.Name, described.Version = info.GetName(), info.GetVendorVersion()
	}
	if plugin, err := identity.GetPluginCapabilities(ctx, &csi.GetPluginCapabilitiesRequest{}); err == nil {
		for _, capability := range plugin.GetCapabilities() {
			described.Capabilities = append(described.Capabilities, pluginCapability(capability))
		}
	}
	if claimed, err := csi.NewControllerClient(controller).ControllerGetCapabilities(ctx, &csi.ControllerGetCapabilitiesRequest{}); err == nil {
		for _, capability := range claimed.GetCapabilities() {
			described.Capabilities = append(described.Capabilities, capability.GetRpc().GetType().String())
		}
	}
	return described
}

// pluginCapability is a capability in the specification's words; those of expansion share a prefix, as their values are
// words that say little alone.
func pluginCapability(capability *csi.PluginCapability) string {
	if expansion := capability.GetVolumeExpansion(); expansion != nil {
		return "VOLUME_EXPANSION_" + expansion.GetType().String()
	}
	return capability.GetService().GetType().String()
}
