// SPDX-License-Identifier: Apache-2.0

// Package registration registers the driver with the kubelet by the kubelet's plugin registration API, in place of the
// node-driver-registrar image. It knows only the path of the driver's socket, not its services.
package registration

import (
	"context"
	"fmt"
	"path/filepath"

	"google.golang.org/grpc"
	"k8s.io/klog/v2"
	registrationv1 "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

// csiVersion is the version of the CSI protocol reported to the kubelet, which accepts any 1.x.
const csiVersion = "1.0.0"

// Server is the service that the kubelet calls when it finds the driver's registration socket.
type Server struct {
	registrationv1.UnimplementedRegistrationServer
	driver   string
	endpoint string
	refused  func(error)
}

// New returns a server that registers the driver, whose CSI socket has the path endpoint on the host, as the kubelet sees
// it. A kubelet that refuses the driver may not call again until the registration socket is recreated: refused is called
// with the reason, and should end the process.
func New(driver, endpoint string, refused func(error)) *Server {
	return &Server{driver: driver, endpoint: endpoint, refused: refused}
}

// SocketPath returns the path of the registration socket of the driver.
func SocketPath(directory, driver string) string {
	return filepath.Join(directory, driver+"-reg.sock")
}

// Register adds the registration service to the gRPC server.
func (s *Server) Register(server *grpc.Server) {
	registrationv1.RegisterRegistrationServer(server, s)
}

// GetInfo returns the driver's name and socket to the kubelet.
func (s *Server) GetInfo(context.Context, *registrationv1.InfoRequest) (*registrationv1.PluginInfo, error) {
	return &registrationv1.PluginInfo{
		Type:              registrationv1.CSIPlugin,
		Name:              s.driver,
		Endpoint:          s.endpoint,
		SupportedVersions: []string{csiVersion},
	}, nil
}

// NotifyRegistrationStatus receives the kubelet's result of the registration.
func (s *Server) NotifyRegistrationStatus(ctx context.Context, status *registrationv1.RegistrationStatus) (*registrationv1.RegistrationStatusResponse, error) {
	if status.GetPluginRegistered() {
		klog.FromContext(ctx).Info("registered with the kubelet", "driver", s.driver)
	} else {
		s.refused(fmt.Errorf("the kubelet did not register driver %s: %s", s.driver, status.GetError()))
	}
	return &registrationv1.RegistrationStatusResponse{}, nil
}
