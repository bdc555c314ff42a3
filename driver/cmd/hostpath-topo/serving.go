//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/health"
	"github.com/csi-topo/csi-topo/driver/service"
)

// serving are the flags that both plugins have.
type serving struct {
	endpoint      string
	dataDir       string
	healthAddress string
}

func (s *serving) add(flags *pflag.FlagSet) {
	flags.StringVar(&s.endpoint, "endpoint", "unix:///csi/csi.sock", "unix socket to serve CSI on, as unix:///absolute/path")
	flags.StringVar(&s.dataDir, "data-dir", "/var/lib/hostpath-topo", "directory of the volumes, the same one on every node")
	flags.StringVar(&s.healthAddress, "health-address", "", "answer GET /healthz over HTTP at this address, such as :9808; without it something else has to, such as livenessprobe")
}

func (s *serving) check() error {
	if s.endpoint == "" || s.dataDir == "" {
		return errors.New("--endpoint and --data-dir must not be empty")
	}
	return nil
}

// start opens the sockets, and serves what is registered until the context ends.
func (s *serving) start(ctx context.Context, group *errgroup.Group, register func(*grpc.Server)) error {
	socket, err := service.Listen(s.endpoint)
	if err != nil {
		return err
	}
	group.Go(func() error { return service.ServeOn(ctx, socket, register) })
	if s.healthAddress == "" {
		return nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.healthAddress)
	if err != nil {
		return fmt.Errorf("listening for --health-address: %w", err)
	}
	group.Go(func() error { return health.Serve(ctx, listener, s.endpoint) })
	return nil
}
