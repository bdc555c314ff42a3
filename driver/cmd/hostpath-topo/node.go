// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	kubeclient "k8s.io/client-go/kubernetes"

	"github.com/csi-topo/csi-topo/driver/kubernetes"
	"github.com/csi-topo/csi-topo/driver/registration"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/volume/dir"
)

// nodeFlags holds the flags of the node plugin.
type nodeFlags struct {
	serving
	nodeName        string
	stateDir        string
	maxVolumes      int64
	registrationDir string
	kubeletEndpoint string
}

func newNodeCommand(connect connect) *cobra.Command {
	var f nodeFlags
	command := &cobra.Command{
		Use:   "node",
		Short: "Serve the Identity and Node services of one node",
		Long: `Serves the Identity and Node services of the node it runs on, as root, until
SIGTERM. The node's segment is read from its labels topology.kubernetes.io/region
and topology.kubernetes.io/zone, once, at start.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			client, err := connect(f.kubeconfig)
			if err != nil {
				return err
			}
			return f.run(command.Context(), client)
		},
	}
	f.add(command.Flags())
	return command
}

func (f *nodeFlags) add(flags *pflag.FlagSet) {
	f.serving.add(flags)
	flags.StringVar(&f.nodeName, "node-name", "", "name of this node in Kubernetes, which is also its node id (required)")
	flags.StringVar(&f.stateDir, "state-dir", "/var/lib/hostpath-topo-node",
		"directory for this node only, kept when the plugin restarts, with the requests for its volumes")
	flags.Int64Var(&f.maxVolumes, "max-volumes", 0, "how many volumes the node takes at a time; 0 leaves it to Kubernetes")
	flags.StringVar(&f.registrationDir, "registration-dir", "",
		"register with the kubelet by a socket in this directory, usually /var/lib/kubelet/plugins_registry; without it something else has to, such as node-driver-registrar")
	flags.StringVar(&f.kubeletEndpoint, "kubelet-endpoint", "",
		"path on the host of the socket that the kubelet calls: the socket of --endpoint, or of a proxy in front of it (required with --registration-dir)")
}

func (f *nodeFlags) check() error {
	if err := f.serving.check(); err != nil {
		return err
	}
	switch {
	case f.nodeName == "":
		return errors.New("--node-name is required: the name of this node in Kubernetes")
	case f.stateDir == "":
		return errors.New("--state-dir must not be empty")
	case f.maxVolumes < 0:
		return fmt.Errorf("--max-volumes must not be negative, got %d", f.maxVolumes)
	case (f.registrationDir == "") != (f.kubeletEndpoint == ""):
		return errors.New("--registration-dir and --kubelet-endpoint need each other: set both or neither")
	}
	return nil
}

func (f *nodeFlags) run(ctx context.Context, client kubeclient.Interface) error {
	segment, err := kubernetes.OwnSegment(ctx, client, f.nodeName)
	if err != nil {
		return err
	}
	volumes, dirs := mounters(f.dataDir, f.nodeName)
	node, err := service.NewNode(ctx, service.NodeConfig{
		NodeID:     f.nodeName,
		Segment:    segment,
		MaxVolumes: f.maxVolumes,
		Volumes:    volumes,
		StateDir:   f.stateDir,
	})
	if err != nil {
		return err
	}

	return f.serve(ctx, dirs, plugin{
		identity: service.NewIdentity(version()),
		register: func(server *grpc.Server) { csi.RegisterNodeServer(server, node) },
	})
}

// serve serves the plugin and, with a registration directory, registers it with the
// kubelet.
func (f *nodeFlags) serve(ctx context.Context, dirs *dir.Mounter, p plugin) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return sweep(ctx, dirs) })
	err := f.serving.start(ctx, group, p)
	if err == nil && f.registrationDir != "" {
		err = f.register(ctx, group)
	}
	if err != nil {
		group.Go(func() error { return err })
	}
	return group.Wait()
}

// register serves the registration socket, which the kubelet may find only once
// the driver's own socket is there.
func (f *nodeFlags) register(ctx context.Context, group *errgroup.Group) error {
	refused := make(chan error, 1)
	registrar := registration.New(service.DriverName, f.kubeletEndpoint, func(err error) {
		select {
		case refused <- err:
		default: // an earlier reason is pending
		}
	})
	socket, err := service.Listen("unix://" + registration.SocketPath(f.registrationDir, service.DriverName))
	if err != nil {
		return err
	}
	group.Go(func() error { return service.ServeOn(ctx, socket, registrar.Register) })
	group.Go(func() error {
		select {
		case err := <-refused:
			return err
		case <-ctx.Done():
			return nil
		}
	})
	return nil
}
