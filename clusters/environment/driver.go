package environment

import (
	"context"
	"fmt"
	"io"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/csi-topo/csi-topo/clusters/install"
	"github.com/csi-topo/csi-topo/fixtures"
)

// referenceDriver is what the fixtures install of hostpath.topo.csi.
func referenceDriver(deployment fixtures.Deployment) install.Driver {
	driver := install.Driver{
		Name: "hostpath.topo.csi",
		Node: client.ObjectKey{Namespace: "hostpath-topo-node", Name: "hostpath-topo-node"},
	}
	if deployment == fixtures.Central {
		driver.Controller = client.ObjectKey{Namespace: "hostpath-topo", Name: "hostpath-topo-controller"}
	}
	return driver
}

// componentLabel tells on the node plugin's DaemonSet how the driver was installed.
const componentLabel = "app.kubernetes.io/component"

// checkInstalled returns an error if the cluster has the driver installed otherwise:
// both ways at once would serve one CSI driver twice.
func (e *Environment) checkInstalled(ctx context.Context) error {
	if !e.Reused {
		return nil
	}
	wanted := map[fixtures.Deployment]string{fixtures.Central: "node", fixtures.NodeLocal: "node-local"}[e.plan.Deployment]
	node := referenceDriver(e.plan.Deployment).Node
	installed := appsv1.DaemonSet{}
	err := e.Client.Resources().Get(ctx, node.Name, node.Namespace, &installed)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking for an installed driver: %w", err)
	}
	if installed.Labels[componentLabel] != wanted {
		return fmt.Errorf("cluster %s has the driver installed otherwise than as %s: choose another cluster with --name, or delete it with `make cluster-down NAME=%s`",
			e.Name, e.plan.Deployment, e.Name)
	}
	return nil
}

func (e *Environment) installDriver(ctx context.Context) error {
	err := e.Progress.Step(ctx, "loading images into the nodes", func(ctx context.Context, log io.Writer) error {
		cluster := e.logged(log)
		// Sidecars run where controllers do.
		onControlPlane := e.plan.Deployment == fixtures.Central
		if err := cluster.LoadArchives(ctx, onControlPlane, paths(e.images.ControlPlane)...); err != nil {
			return err
		}
		return cluster.LoadArchives(ctx, false, paths(e.images.EveryNode)...)
	})
	if err != nil {
		return err
	}
	sidecars := fixtures.PublishedSidecars
	if e.images.Built {
		sidecars = fixtures.SelfServed
	}
	return e.Progress.Step(ctx, "installing the reference driver", func(ctx context.Context, _ io.Writer) error {
		objects, err := fixtures.Render(e.plan.Deployment, sidecars, map[string]string{fixtures.DriverImage: e.images.Driver})
		if err != nil {
			return err
		}
		if err := install.Apply(ctx, e.Client, objects); err != nil {
			return err
		}
		return install.WaitForDriver(ctx, e.Client, referenceDriver(e.plan.Deployment))
	})
}
