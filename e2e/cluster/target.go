// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/client-go/rest"

	"github.com/csi-topo/csi-topo/clusters/client"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/timeouts"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// fill sets target to the driver of the profile, on that cluster.
func (o Options) fill(target *harness.Target, described profile.Profile, on Cluster) error {
	config := rest.CopyConfig(on.REST)
	config.QPS = -1 // the waits of the cases set their own pace
	harness.TellApart(config)
	client, err := client.New(config)
	if err != nil {
		return fmt.Errorf("connecting to the cluster: %w", err)
	}
	may := described.Cluster.May(on.Own)
	*target = harness.Target{
		REST: config, Client: client,
		Driver:             described.Driver,
		RegionKey:          described.Cluster.Topology.Region,
		ZoneKey:            described.Cluster.Topology.Zone,
		AccessibleFrom:     parametersOf(described),
		Pools:              described.Cluster.Pools,
		SnapshotParameters: described.SnapshotParameters, GroupSnapshotParameters: described.GroupSnapshotParameters,
		MutableParameters: described.MutableParameters,
		WorkloadImage:     on.WorkloadImage,
		Controller:        socketOf(described.Cluster.Controller),
		ControllerPerNode: described.ControllerPerNode,
		Node:              socketOf(described.Cluster.Node),
		VolumeSize:        *resource.NewQuantity(described.FileSystem(), resource.BinarySI),
		Block:             described.Block,
		Exclusive:         described.Exclusive,
		Capacity:          described.Capacity,
		Disturb: harness.Disturb{
			Nodes:    slices.Contains(may, profile.Nodes),
			Driver:   slices.Contains(may, profile.DriverPods),
			Capacity: slices.Contains(may, profile.AllCapacity),
		},
		Machines: on.Machines,
		Slow:     o.Slow,
		Waivers:  described.SetsAside(),
		Parallel: cmp.Or(o.Parallel, DefaultParallel),
		Timeouts: timeoutsOf(described.Timeouts).Scaled(cmp.Or(o.TimeoutScale, 1)),
	}
	if kind, ok := described.ReadWriteMany(); ok {
		if kind.Parameters == nil {
			kind.Parameters = map[string]string{}
		}
		target.ReadWriteMany = &kind
	}
	return nil
}

// timeoutsOf raises the limits of waits for calls to the times that the profile sets for a slow driver.
func timeoutsOf(given profile.Timeouts) timeouts.Limits {
	limits := timeouts.Default()
	longer := func(limit *time.Duration, than time.Duration) { *limit = max(*limit, than) }
	for _, limit := range []*time.Duration{&limits.Call, &limits.Bind, &limits.Detach, &limits.Delete, &limits.Expand} {
		longer(limit, given.Provision)
	}
	longer(&limits.Run, 3*given.Provision)          // created, attached and mounted
	longer(&limits.Snapshot, 2*given.SnapshotReady) // csi-snapshotter repeats the call after twice the time, each time
	longer(&limits.Capacity, given.Settle)
	longer(&limits.Restart, given.Restart)
	longer(&limits.CleanUp, given.Cleanup)
	longer(&limits.Case, 4*limits.Run+limits.Snapshot)
	return limits
}

// parametersOf returns the StorageClass parameters of volumes that are accessible from x topologies: nil if there are
// no such volumes.
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
