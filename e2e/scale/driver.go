// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// standIn is a driver that answers the sidecars' calls to its controller. GetCapacity and attaching take the time that the
// experiment sets; other calls are immediate.
type standIn struct {
	csi.UnimplementedIdentityServer
	csi.UnimplementedControllerServer

	takes atomic.Int64 // nanoseconds
	bytes atomic.Int64
	calls atomic.Int64
	// attaches says that volumes have to be attached.
	attaches bool

	mu sync.Mutex
	// room holds the free bytes of each segment; it is nil if every segment always has the bytes that GetCapacity answers.
	room    map[string]int64
	volumes map[string]*csi.Volume
	// refused is the number of times that CreateVolume found no room.
	refused int
}

// answer sets the answer of GetCapacity, and its duration.
func (d *standIn) answer(bytes int64, takes time.Duration) {
	d.bytes.Store(bytes)
	d.takes.Store(int64(takes))
}

// serve serves the driver on a Unix socket. The returned function stops it.
func (d *standIn) serve(ctx context.Context, socket string) (stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("listening for sidecars: %w", err)
	}
	server := grpc.NewServer()
	csi.RegisterIdentityServer(server, d)
	csi.RegisterControllerServer(server, d)
	go func() { _ = server.Serve(listener) }()
	return server.Stop, nil
}

// Probe answers that the driver is ready.
func (d *standIn) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{Ready: wrapperspb.Bool(true)}, nil
}

// GetPluginInfo answers with the driver's name.
func (d *standIn) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: driverName, VendorVersion: "1"}, nil
}

// GetPluginCapabilities claims a controller, and topology.
func (d *standIn) GetPluginCapabilities(context.Context, *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
	answer := &csi.GetPluginCapabilitiesResponse{}
	for _, service := range []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_CONTROLLER_SERVICE, csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS} {
		answer.Capabilities = append(answer.Capabilities, &csi.PluginCapability{Type: &csi.PluginCapability_Service_{Service: &csi.PluginCapability_Service{Type: service}}})
	}
	return answer, nil
}

// ControllerGetCapabilities claims CreateVolume and GetCapacity, or only attaching.
func (d *standIn) ControllerGetCapabilities(context.Context, *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
	answer := &csi.ControllerGetCapabilitiesResponse{}
	claimed := []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME, csi.ControllerServiceCapability_RPC_GET_CAPACITY}
	if d.attaches {
		claimed = []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME}
	}
	for _, rpc := range claimed {
		answer.Capabilities = append(answer.Capabilities, &csi.ControllerServiceCapability{Type: &csi.ControllerServiceCapability_Rpc{Rpc: &csi.ControllerServiceCapability_RPC{Type: rpc}}})
	}
	return answer, nil
}

// wait waits for the duration of a call.
func (d *standIn) wait(ctx context.Context) error {
	timer := time.NewTimer(time.Duration(d.takes.Load()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// GetCapacity answers with the free bytes of the segment.
func (d *standIn) GetCapacity(ctx context.Context, request *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	d.calls.Add(1)
	if err := d.wait(ctx); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.room != nil {
		return &csi.GetCapacityResponse{AvailableCapacity: d.room[request.GetAccessibleTopology().GetSegments()[topologyKey]]}, nil
	}
	return &csi.GetCapacityResponse{AvailableCapacity: d.bytes.Load()}, nil
}

// CreateVolume creates a volume in the first preferred segment with room for it.
func (d *standIn) CreateVolume(_ context.Context, request *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if volume, exists := d.volumes[request.GetName()]; exists {
		return &csi.CreateVolumeResponse{Volume: volume}, nil
	}
	bytes := request.GetCapacityRange().GetRequiredBytes()
	for _, topology := range request.GetAccessibilityRequirements().GetPreferred() {
		segment := topology.GetSegments()[topologyKey]
		if d.room[segment] < bytes {
			continue
		}
		d.room[segment] -= bytes
		volume := &csi.Volume{VolumeId: request.GetName(), CapacityBytes: bytes, AccessibleTopology: []*csi.Topology{topology}}
		d.volumes[volume.GetVolumeId()] = volume
		return &csi.CreateVolumeResponse{Volume: volume}, nil
	}
	d.refused++
	return nil, status.Error(codes.ResourceExhausted, "no preferred segment has room")
}

// refusals returns the number of times that CreateVolume found no room.
func (d *standIn) refusals() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.refused
}

// ControllerPublishVolume attaches any volume to any node.
func (d *standIn) ControllerPublishVolume(ctx context.Context, _ *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
	return &csi.ControllerPublishVolumeResponse{}, d.wait(ctx)
}

// ControllerUnpublishVolume detaches any volume from any node.
func (d *standIn) ControllerUnpublishVolume(ctx context.Context, _ *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
	return &csi.ControllerUnpublishVolumeResponse{}, d.wait(ctx)
}
