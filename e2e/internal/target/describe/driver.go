// SPDX-License-Identifier: Apache-2.0

// Package describe asks a driver for its name, version, capabilities and capacity, for a report. It is independent of the
// tiers.
package describe

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// patience is the time limit for a driver's answers.
const patience = 5 * time.Second

// Driver asks a driver for its name, version and capabilities. A report is also written after an interrupt, so only a
// deadline ends the function. A missing answer leaves its field empty: the cases have already judged it.
func Driver(ctx context.Context, controller grpc.ClientConnInterface) report.Driver {
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
			described.Capabilities = append(described.Capabilities, controllerCapability(capability.GetRpc().GetType()))
		}
	}
	if claimed, err := csi.NewGroupControllerClient(controller).GroupControllerGetCapabilities(ctx, &csi.GroupControllerGetCapabilitiesRequest{}); err == nil {
		for _, capability := range claimed.GetCapabilities() {
			described.Capabilities = append(described.Capabilities, capability.GetRpc().GetType().String())
		}
	}
	return described
}

// Available returns the capacity that the driver reports for the segment, in bytes; nil if it reports none.
func Available(ctx context.Context, controller grpc.ClientConnInterface, segment map[string]string) *int64 {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	answer, err := csi.NewControllerClient(controller).GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: &csi.Topology{Segments: segment}})
	if err != nil {
		return nil
	}
	return &answer.AvailableCapacity
}

// controllerCapability returns the name of a capability. A capability that was removed from the specification keeps its
// former name, and any other unknown one is a number.
func controllerCapability(claimed csi.ControllerServiceCapability_RPC_Type) string {
	const volumeCondition = 11
	if _, known := csi.ControllerServiceCapability_RPC_Type_name[int32(claimed)]; !known && claimed == volumeCondition {
		return "VOLUME_CONDITION"
	}
	return claimed.String()
}

// pluginCapability returns a capability in the specification's words; the values of volume expansion get a prefix, because
// they are unclear without it.
func pluginCapability(capability *csi.PluginCapability) string {
	if expansion := capability.GetVolumeExpansion(); expansion != nil {
		return "VOLUME_EXPANSION_" + expansion.GetType().String()
	}
	return capability.GetService().GetType().String()
}
