package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"google.golang.org/grpc"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/e2e-framework/klient"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/clusters/existing"
	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/fixtures"
)

// smallestFileSystem is the smallest volume that the reference driver's file system
// takes: XFS refuses less than 300 MiB.
const smallestFileSystem = "320Mi"

// onExisting runs the cases on a cluster that somebody else made.
func (r clusterRun) onExisting(ctx context.Context) error {
	if r.workload == "" {
		return errors.New("--kubeconfig needs --workload-image: the image that the cases' pods run, which the cluster can pull")
	}
	config, err := existing.Connect(ctx, r.kubeconfig)
	if err != nil {
		return err
	}
	target := &cluster.Target{}
	if err := fillTarget(target, config, r.workload, r.environment.Deployment); err != nil {
		return err
	}
	return r.run(ctx, target)
}

// fillTarget makes target the reference driver as the fixtures install it.
func fillTarget(target *cluster.Target, config *rest.Config, workload string, deployment fixtures.Deployment) error {
	config = rest.CopyConfig(config)
	config.QPS = -1 // the waits of the cases set their own pace
	client, err := klient.New(config)
	if err != nil {
		return fmt.Errorf("connecting to the cluster: %w", err)
	}
	described, err := profile.HostpathTopo()
	if err != nil {
		return err
	}
	*target = cluster.Target{
		REST: config, Client: client,
		Driver:    described.Driver,
		RegionKey: "topology.hostpath.topo.csi/region",
		ZoneKey:   "topology.hostpath.topo.csi/zone",
		AccessibleFrom: func(x int) map[string]string {
			parameters, _ := described.Parameters(x)
			return parameters
		},
		WorkloadImage: workload,
		Controller: cluster.PodSocket{
			Namespace: "hostpath-topo", Selector: "app.kubernetes.io/name=hostpath-topo,app.kubernetes.io/component=controller",
			Volume: "socket-dir", Path: "socket/csi.sock",
		},
		Node: cluster.PodSocket{
			Namespace: "hostpath-topo-node", Selector: "app.kubernetes.io/name=hostpath-topo,app.kubernetes.io/component=node",
			Volume: "socket-dir", Path: "socket/csi.sock",
		},
		VolumeSize: resource.MustParse(smallestFileSystem),
		Timeouts:   cluster.DefaultTimeouts(),
	}
	if deployment == fixtures.NodeLocal {
		makeLocal(target)
	}
	return nil
}

// makeLocal makes target the reference driver in node-local mode: its zones are nodes.
func makeLocal(target *cluster.Target) {
	target.RegionKey, target.ZoneKey = "", "topology.hostpath.topo.csi/node"
	target.AccessibleFrom = func(int) map[string]string { return nil }
	target.Node.Selector = "app.kubernetes.io/name=hostpath-topo,app.kubernetes.io/component=node-local"
	target.Controller, target.ControllerPerNode = target.Node, true
}

// describeCluster fills in what the cluster says of itself. A report is written after an
// interrupt too, so nothing but a deadline ends it, and what does not answer stays empty.
func describeCluster(ctx context.Context, target *cluster.Target) func(*report.ConformanceReport) {
	const patience = 30 * time.Second
	return func(r *report.ConformanceReport) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		// Of a driver that does not answer any more, the name is known all the same.
		_ = cluster.AskController(ctx, target, func(controller grpc.ClientConnInterface) { r.Driver = describeDriver(ctx, controller) })
		r.Driver.Name = target.Driver
		r.Environment.Sidecars = sidecars(ctx, target)
		if client, err := discovery.NewDiscoveryClientForConfig(target.REST); err == nil {
			if version, err := client.ServerVersion(); err == nil {
				r.Environment.Kubernetes = version.GitVersion
			}
		}
		nodes := corev1.NodeList{}
		if err := target.Client.Resources().List(ctx, &nodes); err != nil {
			return
		}
		r.Environment.Nodes = len(nodes.Items)
		for _, node := range nodes.Items {
			if zone := node.Labels[corev1.LabelTopologyZone]; zone != "" && !slices.Contains(r.Environment.Zones, zone) {
				r.Environment.Zones = append(r.Environment.Zones, zone)
			}
		}
		slices.Sort(r.Environment.Zones)
	}
}

// sidecars are the images beside the driver in its controller's pods, by container.
func sidecars(ctx context.Context, target *cluster.Target) map[string]string {
	pods := corev1.PodList{}
	if err := target.Client.Resources(target.Controller.Namespace).List(ctx, &pods, resources.WithLabelSelector(target.Controller.Selector)); err != nil {
		return nil
	}
	images := map[string]string{}
	for _, pod := range pods.Items {
		for _, container := range pod.Spec.Containers {
			images[container.Name] = container.Image
		}
	}
	return images
}
