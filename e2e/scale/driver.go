// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// standIn answers what csi-provisioner asks of a driver's controller. GetCapacity takes the time that the experiment
// sets, and answers the bytes that it sets.
type standIn struct {
	csi.UnimplementedIdentityServer
	csi.UnimplementedControllerServer

	takes atomic.Int64 // nanoseconds
	bytes atomic.Int64
	calls atomic.Int64
}

// answer sets what GetCapacity answers, and how long it takes.
func (d *standIn) answer(bytes int64, takes time.Duration) {
	d.bytes.Store(bytes)
	d.takes.Store(int64(takes))
}

// serve serves the driver on a Unix socket. The function that it returns ends that.
func (d *standIn) serve(ctx context.Context, socket string) (stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("listening for csi-provisioner: %w", err)
	}
	server := grpc.NewServer()
	csi.RegisterIdentityServer(server, d)
	csi.RegisterControllerServer(server, d)
	go func() { _ = server.Serve(listener) }()
	return server.Stop, nil
}

// Probe says that the driver is ready.
func (d *standIn) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{Ready: wrapperspb.Bool(true)}, nil
}

// GetPluginInfo answers the driver's name.
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

// ControllerGetCapabilities claims CreateVolume and GetCapacity.
func (d *standIn) ControllerGetCapabilities(context.Context, *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
	answer := &csi.ControllerGetCapabilitiesResponse{}
	for _, rpc := range []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME, csi.ControllerServiceCapability_RPC_GET_CAPACITY} {
		answer.Capabilities = append(answer.Capabilities, &csi.ControllerServiceCapability{Type: &csi.ControllerServiceCapability_Rpc{Rpc: &csi.ControllerServiceCapability_RPC{Type: rpc}}})
	}
	return answer, nil
}

// GetCapacity answers the same for every segment.
func (d *standIn) GetCapacity(ctx context.Context, _ *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	d.calls.Add(1)
	timer := time.NewTimer(time.Duration(d.takes.Load()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return &csi.GetCapacityResponse{AvailableCapacity: d.bytes.Load()}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
