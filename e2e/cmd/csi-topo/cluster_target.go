package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"google.golang.org/grpc"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/clusters/client"
	"github.com/csi-topo/csi-topo/clusters/existing"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/preflight"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
)

// onExisting runs the cases on a cluster that somebody else made.
func (r clusterRun) onExisting(ctx context.Context) error {
	if r.workload == "" {
		return errNoWorkload()
	}
	config, err := existing.Connect(ctx, r.kubeconfig)
	if err != nil {
		return err
	}
	target := &harness.Target{}
	if err := r.fillTarget(target, config, r.workload, false); err != nil {
		return err
	}
	r.cases.Prepare = func(ctx context.Context) error { return preflight.Shared(ctx, target) }
	return r.run(ctx, target)
}

// fillTarget makes target the driver of the profile, on a cluster of the run's own or one that others use.
func (r clusterRun) fillTarget(target *harness.Target, config *rest.Config, workload string, own bool) error {
	config = rest.CopyConfig(config)
	config.QPS = -1 // the waits of the cases set their own pace
	client, err := client.New(config)
	if err != nil {
		return fmt.Errorf("connecting to the cluster: %w", err)
	}
	described := r.described.profile
	may := described.Cluster.May(own)
	*target = harness.Target{
		REST: config, Client: client,
		Driver:             described.Driver,
		RegionKey:          described.Cluster.Topology.Region,
		ZoneKey:            described.Cluster.Topology.Zone,
		AccessibleFrom:     parametersOf(described),
		Pools:              described.Cluster.Pools,
		SnapshotParameters: described.SnapshotParameters,
		WorkloadImage:      workload,
		Controller:         socketOf(described.Cluster.Controller),
		ControllerPerNode:  described.Cluster.ControllerPerNode,
		Node:               socketOf(described.Cluster.Node),
		VolumeSize:         *resource.NewQuantity(described.FileSystem(), resource.BinarySI),
		Block:              described.Block,
		Exclusive:          described.Exclusive,
		Capacity:           described.Capacity,
		Disturb: harness.Disturb{
			Nodes:    slices.Contains(may, profile.Nodes),
			Driver:   slices.Contains(may, profile.DriverPods),
			Capacity: slices.Contains(may, profile.AllCapacity),
		},
		Waived:   map[string]string{},
		Timeouts: timeoutsOf(described.Timeouts).Scaled(float64(r.scale)),
	}
	if kind, ok := described.ReadWriteMany(); ok {
		if kind.Parameters == nil {
			kind.Parameters = map[string]string{}
		}
		target.ReadWriteMany = &kind
	}
	for _, waiver := range described.Waivers {
		target.Waived[cmp.Or(waiver.Requirement, waiver.Case)] = waiver.Reason
	}
	return nil
}

// timeoutsOf leaves a slow driver the time that its profile says for a call, wherever the cluster waits for one.
func timeoutsOf(given profile.Timeouts) harness.Timeouts {
	limits := harness.DefaultTimeouts()
	longer := func(limit *time.Duration, than time.Duration) { *limit = max(*limit, than) }
	for _, limit := range []*time.Duration{&limits.Call, &limits.Bind, &limits.Detach, &limits.Delete, &limits.Expand} {
		longer(limit, given.Provision)
	}
	longer(&limits.Run, 3*given.Provision)          // created, attached and mounted
	longer(&limits.Snapshot, 2*given.SnapshotReady) // csi-snapshotter asks again after twice the time, each time
	longer(&limits.Capacity, given.Settle)
	longer(&limits.Restart, given.Restart)
	longer(&limits.CleanUp, given.Cleanup)
	longer(&limits.Case, 4*limits.Run+limits.Snapshot)
	return limits
}

// parametersOf are the StorageClass parameters of volumes that are accessible from x topologies: nil where there are no
// such volumes.
func parametersOf(described profile.Profile) func(x int) map[string]string {
	return func(x int) map[string]string {
		parameters, ok := described.Parameters(x)
		if ok && parameters == nil {
			return map[string]string{}
		}
		return parameters
	}
}

func socketOf(at *profile.Socket) *harness.PodSocket {
	if at == nil {
		return nil
	}
	return &harness.PodSocket{Namespace: at.Namespace, Selector: at.Selector, Volume: at.Volume, Path: at.Path, Control: at.Control}
}

// describeCluster fills in what the cluster says of itself. A report is written after an
// interrupt too, so nothing but a deadline ends it, and what does not answer stays empty.
func describeCluster(ctx context.Context, target *harness.Target) func(*report.ConformanceReport) {
	const patience = 30 * time.Second
	return func(r *report.ConformanceReport) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		// Of a driver that does not answer any more, the name is known all the same.
		_ = harness.AskController(ctx, target, func(controller grpc.ClientConnInterface) { r.Driver = describeDriver(ctx, controller) })
		r.Driver.Name = target.Driver
		r.Environment.Sidecars = sidecars(ctx, target)
		if client, err := discovery.NewDiscoveryClientForConfig(target.REST); err == nil {
			if version, err := client.ServerVersion(); err == nil {
				r.Environment.Kubernetes = version.GitVersion
			}
		}
		// Without segments the report names the zones alone.
		r.Environment.Segments, _ = harness.Segments(ctx, target)
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
func sidecars(ctx context.Context, target *harness.Target) map[string]string {
	if target.Controller == nil {
		return nil
	}
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
