// SPDX-License-Identifier: Apache-2.0

package generated_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// lacks are drivers, or environments, that are right and lack something.
var lacks = map[string]spectest.Expectation{
	"one segment": {
		Driver: spectest.Driver{Options: oneSegment},
		Cases:  []spectest.Case{spectest.Passes(id)},
	},
	"no topology": {
		Driver: spectest.Driver{Options: oneSegment, Fault: placeless()},
		Cases:  []spectest.Case{spectest.Passes(id)},
	},
	"no capability CREATE_DELETE_VOLUME": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME)},
		Cases:  []spectest.Case{spectest.Skips(id, verdict.ByCapability)},
	},
	"no capability GET_CAPACITY":             without(csi.ControllerServiceCapability_RPC_GET_CAPACITY),
	"no capability LIST_VOLUMES":             without(csi.ControllerServiceCapability_RPC_LIST_VOLUMES),
	"no capability EXPAND_VOLUME":            without(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME),
	"no capability PUBLISH_UNPUBLISH_VOLUME": without(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME),
	"capacity that changes for other reasons": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Profile.Capacity = profile.AtLeast }},
		Cases:  []spectest.Case{spectest.Passes(id)},
	},
	"a hook that exhausts segments": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Exhaust = noHook{} }},
		Cases:  []spectest.Case{spectest.Passes(id)},
	},
	"volumes that are small beside what there is": {
		Driver: spectest.Driver{
			Options: func(o *embedded.Options) { o.BytesPerSegment, o.Sizes.MaximumBytes = ample, 4*unit },
			Target:  func(t *harness.Target) { t.Steps = steps },
		},
		Cases: []spectest.Case{spectest.Passes(id)},
	},
	"waived: volumes in use are deleted": {
		Driver: spectest.Driver{Fault: deletesInUse(), Target: waiving("DV-05")},
		Cases:  []spectest.Case{spectest.Passes(id)},
	},
	"waived: volumes in use are deleted, and another fault": {
		Driver: spectest.Driver{Fault: deletesInUse().And(validatesDeleted()), Target: waiving("DV-05")},
		Cases:  []spectest.Case{spectest.Fails(id, "VV-03")},
	},
	"waived: volumes grow beyond the room": {
		Driver: spectest.Driver{Fault: growsBeyondRoom(), Target: waiving("CE-19", "CE-13", "CREATE-06", "NE-01")},
		Cases:  []spectest.Case{spectest.Passes(id)},
	},
	"waived: whatever was asked under a name": {
		Driver: spectest.Driver{Fault: secondZone(), Target: waiving("CREATE-06", "CV-02", "CV-03")},
		Cases:  []spectest.Case{spectest.Passes(id)},
	},
	"another seed": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Seed, t.Steps = 51, steps }},
		Cases:  []spectest.Case{spectest.Passes(id)},
	},
}

func without(lacking csi.ControllerServiceCapability_RPC_Type) spectest.Expectation {
	return spectest.Expectation{
		Driver: spectest.Driver{Fault: spectest.Without(lacking)},
		Cases:  []spectest.Case{spectest.Passes(id)},
	}
}

func oneSegment(o *embedded.Options) {
	o.Segments = []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}}
}

// noHook is a hook that is not to be used: the case fills nothing where there is one.
type noHook struct{}

func (noHook) Exhaust(context.Context, map[string]string) error  { return nil }
func (noHook) GiveBack(context.Context, map[string]string) error { return nil }

// placeless is a driver that has no topology.
func placeless() spectest.Fault {
	return spectest.On(func(context.Context, spectest.Right, *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
		return &csi.GetPluginCapabilitiesResponse{Capabilities: []*csi.PluginCapability{
			{Type: &csi.PluginCapability_Service_{Service: &csi.PluginCapability_Service{Type: csi.PluginCapability_Service_CONTROLLER_SERVICE}}},
			{Type: &csi.PluginCapability_VolumeExpansion_{VolumeExpansion: &csi.PluginCapability_VolumeExpansion{Type: csi.PluginCapability_VolumeExpansion_ONLINE}}},
		}}, nil
	}).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
		response, err := right.NodeGetInfo(ctx, r)
		if err == nil {
			response.AccessibleTopology = nil
		}
		return response, err
	})).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			response.Volume.AccessibleTopology = nil
		}
		return response, err
	})).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		response, err := right.ListVolumes(ctx, r)
		for _, entry := range response.GetEntries() {
			entry.Volume.AccessibleTopology = nil
		}
		return response, err
	}))
}
