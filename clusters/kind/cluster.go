// SPDX-License-Identifier: Apache-2.0

// Package kind creates multi-zone clusters with kind's Go package. It does not know drivers or cases.
//
// Methods that are also in the cluster provider interface of the e2e-framework have the same names. The rest of that
// interface is left out: it sets a version, a configuration and the path of a kind program by separate calls, while
// Options describes the whole cluster for a library, and nothing here uses the interface.
package kind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/e2e-framework/klient"
	"sigs.k8s.io/kind/pkg/cluster"
	"sigs.k8s.io/kind/pkg/cluster/nodes"

	"github.com/csi-topo/csi-topo/clusters/layout"
)

// Options describes a cluster.
type Options struct {
	// Name is the name of the cluster, and the prefix of its nodes' names.
	Name string
	// Layout describes its regions, zones and nodes.
	Layout *layout.Layout
	// Kubernetes is the minor, such as "1.36".
	Kubernetes string
	// Image is the node image's name in the container engine; Built reports whether package nodeimage built it.
	Image string
	Built bool
	// Host describes the host of the nodes.
	Host Host
	// Dir is the directory for the cluster's kubeconfig, its state and the directory that its nodes share.
	Dir string
	// Log receives kind's messages.
	Log io.Writer
}

// Cluster is a kind cluster, which need not exist yet.
type Cluster struct {
	options  Options
	provider *cluster.Provider
}

// New returns the cluster that o describes. kind calls the docker command with this process's environment, so DOCKER_HOST
// must be set unless it is the default.
func New(o Options) *Cluster {
	return &Cluster{
		options:  o,
		provider: cluster.NewProvider(cluster.ProviderWithDocker(), cluster.ProviderWithLogger(logger{out: o.Log})),
	}
}

// Running returns the state of the cluster with this name, or nil if there is none. It returns an error if this package
// did not create that cluster, or if it is stopped.
func (c *Cluster) Running() (*State, error) {
	names, err := c.provider.List()
	if err != nil {
		return nil, fmt.Errorf("listing kind clusters: %w", err)
	}
	if !slices.Contains(names, c.options.Name) {
		return nil, nil
	}
	state, err := readState(c.options.Dir)
	if err != nil {
		return nil, err
	}
	if state == nil {
		return nil, fmt.Errorf("a kind cluster named %s exists that csi-topo did not create: choose another with --name, or delete it", c.options.Name)
	}
	return state, nil
}

// Wanted returns the state that this cluster would have if it were created now.
func (c *Cluster) Wanted() (State, error) {
	shape, err := c.options.Layout.Shape()
	if err != nil {
		return State{}, err
	}
	return State{
		Layout: c.options.Layout.Name, Shape: shape,
		Kubernetes: c.options.Kubernetes, Image: c.options.Image, Built: c.options.Built,
	}, nil
}

// Fits returns an error if a running cluster differs from the wanted one in layout or Kubernetes version.
func (c *Cluster) Fits(running *State) error {
	wanted, err := c.Wanted()
	if err != nil {
		return err
	}
	if running.Shape != wanted.Shape || running.Kubernetes != wanted.Kubernetes {
		return fmt.Errorf("a cluster named %s runs with layout %s and Kubernetes %s, not layout %s and Kubernetes %s: choose another with --name, or delete it with `make cluster-down NAME=%s`",
			c.options.Name, running.Layout, running.Kubernetes, wanted.Layout, wanted.Kubernetes, c.options.Name)
	}
	return nil
}

// Create creates the cluster and returns the file name of its kubeconfig. If ctx ends, it removes the unfinished cluster.
func (c *Cluster) Create(ctx context.Context) (string, error) {
	if err := c.prepareDir(); err != nil {
		return "", err
	}
	if err := c.create(ctx); err != nil {
		return "", fmt.Errorf("creating kind cluster %s: %w", c.options.Name, err)
	}
	list, err := c.Nodes()
	if err != nil {
		return "", err
	}
	for _, node := range list {
		if err := makeLoopFiles(node); err != nil {
			return "", err
		}
	}
	if c.options.Built {
		if err := c.ConnectPods(ctx); err != nil {
			return "", err
		}
	}
	return c.kubeconfig(), nil
}

func (c *Cluster) prepareDir() error {
	if err := os.RemoveAll(c.options.Dir); err != nil {
		return fmt.Errorf("removing what an earlier cluster left: %w", err)
	}
	if err := os.MkdirAll(c.sharedDir(), 0o755); err != nil {
		return fmt.Errorf("making the directory that nodes share: %w", err)
	}
	state, err := c.Wanted()
	if err != nil {
		return err
	}
	return writeState(c.options.Dir, state)
}

// Keep marks the cluster as one that later runs reuse instead of deleting it.
func (c *Cluster) Keep() error {
	state, err := c.Wanted()
	if err != nil {
		return err
	}
	state.Kept = true
	return writeState(c.options.Dir, state)
}

// create calls kind, which takes no context. To stop it, create removes its nodes until kind fails.
func (c *Cluster) create(ctx context.Context) error {
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = c.provider.Create(c.options.Name,
			cluster.CreateWithV1Alpha4Config(config(c.options.Layout, c.options.Host, c.options.Built, c.sharedDir())),
			cluster.CreateWithNodeImage(c.options.Image),
			cluster.CreateWithKubeconfigPath(c.kubeconfig()),
			cluster.CreateWithRetain(true), // The logs are exported first; then Destroy removes the cluster.
			cluster.CreateWithDisplayUsage(false),
			cluster.CreateWithDisplaySalutation(false),
		)
	}()
	select {
	case <-ended:
		return err
	case <-ctx.Done():
	}
	for {
		deleteErr := c.provider.Delete(c.options.Name, c.kubeconfig())
		select {
		case <-ended:
			return errors.Join(context.Cause(ctx), c.provider.Delete(c.options.Name, c.kubeconfig()))
		default:
		}
		if deleteErr != nil {
			<-ended
			return errors.Join(context.Cause(ctx), deleteErr)
		}
	}
}

// Destroy removes the cluster, the directory that its nodes shared, and the loop devices of files in it, once no command
// is making a node of the cluster. It succeeds if the cluster does not exist.
func (c *Cluster) Destroy(ctx context.Context) error {
	c.emptyShared()
	var errs []error
	if err := waitForClients(ctx, c.options.Name); err != nil {
		errs = append(errs, err)
	}
	if err := c.provider.Delete(c.options.Name, c.kubeconfig()); err != nil {
		errs = append(errs, fmt.Errorf("deleting kind cluster %s: %w", c.options.Name, err))
	}
	if err := detachLoops(ctx, c.sharedDir()); err != nil {
		errs = append(errs, err)
	}
	if err := os.RemoveAll(c.options.Dir); err != nil {
		errs = append(errs, fmt.Errorf("removing what the cluster's nodes shared: %w", err))
	}
	return errors.Join(errs...)
}

// ExportLogs writes the logs of every node and pod below dest. It logs any failure, and returns an error only if it
// collected nothing.
func (c *Cluster) ExportLogs(_ context.Context, dest string) error {
	err := c.provider.CollectLogs(c.options.Name, dest)
	if err == nil {
		return nil
	}
	// kind lists the images of each node with a program that a built node does not have.
	_, _ = fmt.Fprintf(c.options.Log, "not everything was collected: %v\n", err)
	if entries, readErr := os.ReadDir(dest); readErr != nil || len(entries) == 0 {
		return fmt.Errorf("collecting the logs of kind cluster %s: %w", c.options.Name, err)
	}
	return nil
}

// Nodes lists the cluster's node containers.
func (c *Cluster) Nodes() ([]nodes.Node, error) {
	list, err := c.provider.ListInternalNodes(c.options.Name)
	if err != nil {
		return nil, fmt.Errorf("listing the nodes of kind cluster %s: %w", c.options.Name, err)
	}
	return list, nil
}

// GetKubeconfig returns the file name of the cluster's kubeconfig, which is never the user's default file.
func (c *Cluster) GetKubeconfig() string { return c.kubeconfig() }

// KubernetesRestConfig returns the client configuration of the cluster, or nil if the kubeconfig cannot be read.
func (c *Cluster) KubernetesRestConfig() *rest.Config {
	config, err := clientcmd.BuildConfigFromFlags("", c.kubeconfig())
	if err != nil {
		return nil
	}
	return config
}

// WaitForControlPlane waits until every node is ready, not only the control plane.
func (c *Cluster) WaitForControlPlane(ctx context.Context, client klient.Client) error {
	return WaitForNodes(ctx, client, 1+len(c.options.Layout.Nodes()))
}

func (c *Cluster) kubeconfig() string { return filepath.Join(c.options.Dir, "kubeconfig") }

func (c *Cluster) sharedDir() string { return filepath.Join(c.options.Dir, "shared") }

// emptyShared lets a node remove the files that its root has written, which this user may not be allowed to remove.
// Destroy reports any that are left.
func (c *Cluster) emptyShared() {
	list, err := c.provider.ListInternalNodes(c.options.Name)
	if err != nil || len(list) == 0 {
		return
	}
	_ = list[0].Command("find", SharedDir, "-mindepth", "1", "-delete").Run()
}
