// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/driver/health"
	"github.com/csi-topo/csi-topo/driver/metrics"
	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/service"
)

const defaultEndpoint = "unix:///csi/csi.sock"

// serving holds the common parts of all plugins: their sockets and their configuration.
type serving struct {
	endpoint    string
	dataDir     string
	httpAddress string
	kubeconfig  string
	configuration
}

// plugin describes the services of one plugin.
type plugin struct {
	// identity is its Identity service; register adds the others.
	identity *service.Identity
	register func(*grpc.Server)
	// usage reports the usage of pools; nil if there is nothing to report.
	usage *metrics.Usage
	// setCapacity is called when the capacity of segments changes; nil for a plugin that reserves nothing.
	setCapacity func(pool.Capacity)
}

func (s *serving) add(flags *pflag.FlagSet) {
	flags.StringVar(&s.endpoint, "endpoint", defaultEndpoint, "unix socket to serve CSI on, as unix:///absolute/path")
	flags.StringVar(&s.dataDir, "data-dir", "/var/lib/hostpath-topo", "directory of the volumes, the same one on every node")
	flags.StringVar(&s.httpAddress, "http-address", "", "answer GET /healthz and GET /metrics over HTTP at this address, such as :9808; without it there is no TCP port")
	flags.StringVar(&s.kubeconfig, "kubeconfig", "", "kubeconfig file of the cluster; needed only where the driver does not run in a pod of the cluster")
	s.configuration.add(flags)
}

// check checks the flags, and loads the configuration.
func (s *serving) check() error {
	if s.endpoint == "" || s.dataDir == "" {
		return errors.New("--endpoint and --data-dir must not be empty")
	}
	return s.configuration.load()
}

// start opens the sockets, and serves the plugin in the group until ctx ends.
func (s *serving) start(ctx context.Context, group *errgroup.Group, p plugin) error {
	measured := metrics.New(service.DriverName)
	if p.usage != nil {
		measured.AddUsage(*p.usage)
	}
	group.Go(func() error {
		return s.configuration.watch(ctx, func(capacity pool.Capacity) {
			if p.setCapacity != nil {
				p.setCapacity(capacity)
			}
		})
	})
	// The CSI socket starts last: once it answers, everything else is ready.
	if s.httpAddress != "" {
		if err := s.startHTTP(ctx, group, measured.Handler()); err != nil {
			return err
		}
	}
	socket, err := service.Listen(s.endpoint)
	if err != nil {
		return err
	}
	group.Go(func() error {
		return service.ServeOn(ctx, socket, func(server *grpc.Server) {
			csi.RegisterIdentityServer(server, p.identity)
			p.register(server)
		},
			grpc.ChainUnaryInterceptor(measured.Record, service.RequireSecrets(s.configuration.secrets)),
			grpc.ChainStreamInterceptor(measured.RecordStream, service.RequireSecretsOfStreams(s.configuration.secrets)))
	})
	return nil
}

func (s *serving) startHTTP(ctx context.Context, group *errgroup.Group, metrics http.Handler) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.httpAddress)
	if err != nil {
		return fmt.Errorf("listening for --http-address: %w", err)
	}
	klog.FromContext(ctx).Info("serving /healthz and /metrics", "address", listener.Addr().String())
	group.Go(func() error { return health.Serve(ctx, listener, s.endpoint, metrics) })
	return nil
}
