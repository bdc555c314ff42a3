// SPDX-License-Identifier: Apache-2.0

// Package plugins calls the driver's controllers directly, in ways in which no sidecar would.
package plugins

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
)

// capability is a controller capability that a driver may claim.
type capability = csi.ControllerServiceCapability_RPC_Type

// Plugin is the driver itself, called over one of its sockets.
type Plugin struct {
	Conn         grpc.ClientConnInterface
	timeout      time.Duration
	Capabilities []capability
	// Grows says that volumes can be expanded, by the controller or the node.
	Grows bool
	// Groups says that the driver claims volume group snapshots, and GroupsErr is the error of asking for that.
	Groups    bool
	GroupsErr error
}

// Connect waits for the driver's first answer, and asks for its capabilities.
func Connect(ctx context.Context, lines *connections.Shared, socket dial.Socket, within, call time.Duration) (*Plugin, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	conn, err := lines.Driver(ctx, socket)
	if err != nil {
		return nil, err
	}
	p := &Plugin{Conn: conn, timeout: call}
	answer, err := csi.NewControllerClient(conn).ControllerGetCapabilities(ctx, &csi.ControllerGetCapabilitiesRequest{},
		grpc.WaitForReady(true)) // the driver may have been restarted since another case used the connection
	if err != nil {
		return nil, fmt.Errorf("asking for controller capabilities through %s: %w %s", socket, err, conn.Complaint())
	}
	for _, c := range answer.GetCapabilities() {
		p.Capabilities = append(p.Capabilities, c.GetRpc().GetType())
	}
	claimed, err := csi.NewIdentityClient(conn).GetPluginCapabilities(ctx, &csi.GetPluginCapabilitiesRequest{})
	if err != nil {
		return nil, fmt.Errorf("asking for plugin capabilities through %s: %w", socket, err)
	}
	p.Grows = slices.ContainsFunc(claimed.GetCapabilities(), func(c *csi.PluginCapability) bool { return c.GetVolumeExpansion() != nil })
	if !slices.ContainsFunc(claimed.GetCapabilities(), func(c *csi.PluginCapability) bool {
		return c.GetService().GetType() == csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE
	}) {
		return p, nil
	}
	ofGroups, err := csi.NewGroupControllerClient(conn).GroupControllerGetCapabilities(ctx, &csi.GroupControllerGetCapabilitiesRequest{})
	if err != nil {
		p.GroupsErr = fmt.Errorf("asking for group controller capabilities through %s: %w", socket, err)
	}
	p.Groups = slices.ContainsFunc(ofGroups.GetCapabilities(), func(c *csi.GroupControllerServiceCapability) bool {
		return c.GetRpc().GetType() == csi.GroupControllerServiceCapability_RPC_CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT
	})
	return p, nil
}

func (p *Plugin) claims(c capability) bool { return slices.Contains(p.Capabilities, c) }

func (p *Plugin) controller() csi.ControllerClient { return csi.NewControllerClient(p.Conn) }

// room returns the free bytes of a segment for volumes with these parameters, and the size of the largest volume there, 0
// if the driver does not report it. An error that the driver returns is a mismatch: a segment without room has a capacity
// of 0.
func (p *Plugin) room(ctx context.Context, parameters map[string]string, segment predicate.Segment) (free, largest int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	answer, err := p.controller().GetCapacity(ctx, &csi.GetCapacityRequest{
		VolumeCapabilities: singleWriter(),
		Parameters:         parameters,
		AccessibleTopology: &csi.Topology{Segments: segment},
	})
	switch code := status.Code(err); {
	case err == nil:
	case code == codes.Unavailable || code == codes.DeadlineExceeded || code == codes.Canceled:
		return 0, 0, fmt.Errorf("GetCapacity of %s: %w", predicate.Canonical(segment), err)
	default:
		return 0, 0, &predicate.Mismatch{
			Subject: "GetCapacity of " + predicate.Canonical(segment), Wanted: "available_capacity, 0 when there is no room", Found: err.Error(),
		}
	}
	return answer.GetAvailableCapacity(), answer.GetMaximumVolumeSize().GetValue(), nil
}

// volumes lists the driver's volumes, page by page.
func (p *Plugin) volumes(ctx context.Context) (map[string]*csi.ListVolumesResponse_Entry, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	volumes := map[string]*csi.ListVolumesResponse_Entry{}
	token := ""
	for {
		answer, err := p.controller().ListVolumes(ctx, &csi.ListVolumesRequest{StartingToken: token})
		if err != nil {
			return nil, fmt.Errorf("ListVolumes from token %q: %w", token, err)
		}
		for _, entry := range answer.GetEntries() {
			volumes[entry.GetVolume().GetVolumeId()] = entry
		}
		if token = answer.GetNextToken(); token == "" {
			return volumes, nil
		}
	}
}

// holdsSnapshot reports whether the driver lists the snapshot.
func (p *Plugin) holdsSnapshot(ctx context.Context, id string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	answer, err := p.controller().ListSnapshots(ctx, &csi.ListSnapshotsRequest{SnapshotId: id})
	if err != nil {
		return false, fmt.Errorf("ListSnapshots of %s: %w", id, err)
	}
	return slices.ContainsFunc(answer.GetEntries(), func(entry *csi.ListSnapshotsResponse_Entry) bool { return entry.GetSnapshot().GetSnapshotId() == id }), nil
}

// Create creates a volume in the segment; its error has the driver's gRPC code.
func (p *Plugin) Create(ctx context.Context, name string, bytes int64, parameters map[string]string, segment predicate.Segment) (*csi.Volume, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	here := []*csi.Topology{{Segments: segment}}
	answer, err := p.controller().CreateVolume(ctx, &csi.CreateVolumeRequest{
		Name:                      name,
		CapacityRange:             &csi.CapacityRange{RequiredBytes: bytes},
		VolumeCapabilities:        singleWriter(),
		Parameters:                parameters,
		AccessibilityRequirements: &csi.TopologyRequirement{Requisite: here, Preferred: here},
	})
	if err != nil {
		return nil, fmt.Errorf("CreateVolume of %d bytes in %s: %w", bytes, predicate.Canonical(segment), err)
	}
	return answer.GetVolume(), nil
}

// Delete deletes a volume if it exists.
func (p *Plugin) Delete(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	if _, err := p.controller().DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id}); err != nil && status.Code(err) != codes.NotFound {
		return fmt.Errorf("DeleteVolume of %s: %w", id, err)
	}
	return nil
}

func singleWriter() []*csi.VolumeCapability {
	return []*csi.VolumeCapability{{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}}
}
