// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/e2e-framework/klient"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/timeouts"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Target is the driver under test and the cluster it is installed in.
type Target struct {
	// REST is the configuration for calls that Client does not offer: watches and exec.
	REST *rest.Config
	// Client is the client for the objects of the cluster. It should have no rate limit (QPS -1), as the waits set their
	// own pace.
	Client klient.Client
	// Driver is the CSI name of the driver: the provisioner of a StorageClass.
	Driver string
	// RegionKey is the driver's topology key for regions; empty for a driver without one.
	RegionKey string
	// ZoneKey is the driver's topology key for zones.
	ZoneKey string
	// AccessibleFrom returns the StorageClass parameters of a volume that is accessible from x topologies. Nil for x >
	// 1 says that the driver has no such volumes.
	AccessibleFrom func(x int) map[string]string
	// Pools are StorageClass parameters, each with separate room: the use of one does not affect the others. A case that
	// counts or uses up room gets one, so that others can run concurrently; without any, it runs alone.
	Pools []map[string]string
	// SnapshotParameters are VolumeSnapshotClass parameters.
	SnapshotParameters map[string]string
	// GroupSnapshotParameters are VolumeGroupSnapshotClass parameters.
	GroupSnapshotParameters map[string]string
	// MutableParameters are parameters of a volume that the driver can modify, with new values; none if they are not known.
	MutableParameters map[string]string
	// WorkloadImage contains a shell, sleep and df in /bin, and /csi-topo-sidecar.
	WorkloadImage string
	// Controller finds the socket of the driver's controller; nil if its location is not known.
	Controller *PodSocket
	// ControllerPerNode says that the driver has a controller on each node, only for the volumes of that node.
	ControllerPerNode bool
	// Node finds the socket of the driver's node plugin on each node; nil if its location is not known.
	Node *PodSocket
	// VolumeSize is the size of the smallest volume with a file system that the driver creates.
	VolumeSize resource.Quantity
	// ReadWriteMany is the kind of volume that pods on several nodes mount and write at once; nil if the driver has
	// none.
	ReadWriteMany *profile.Kind
	// Block says that the driver has raw block volumes.
	Block bool
	// Exclusive says that only the run creates or deletes volumes of the driver. Otherwise cases check only their own
	// objects.
	Exclusive bool
	// Capacity says how far the driver's GetCapacity can be relied on.
	Capacity profile.Capacity
	// Disturb is the set of things that the run may disturb.
	Disturb Disturb
	// Machines stops and starts the machines that nodes run on; nil if that is not possible.
	Machines Machines
	// Slow runs cases that take minutes.
	Slow bool
	// Waivers set aside findings of cases.
	Waivers []suite.Waiver
	// Parallel is the number of cases that may run concurrently, if they do not disturb each other; 0 and 1 run them one at
	// a time.
	Parallel int
	// FailuresDir is the directory for the evidence of each case that does not pass; empty for none.
	FailuresDir string
	// Timeouts limit every wait.
	Timeouts timeouts.Limits
	// ProvisionerFlags are injected into the provisioners that cases start.
	ProvisionerFlags []string
}

// Machines are the machines that the nodes of the cluster run on.
type Machines interface {
	// StopNode stops a node as a loss of power would: nothing runs there any longer, nothing is mounted, and the cluster is
	// not notified.
	StopNode(ctx context.Context, node string) error
	// StartNode starts a stopped node; it does not wait for the node to be ready.
	StartNode(ctx context.Context, node string) error
	// RestartKubelet restarts the kubelet of a node, while everything else there keeps running; it does not wait for the
	// node to be ready.
	RestartKubelet(ctx context.Context, node string) error
}

// Disturb is the set of things that cases may temporarily disturb on the cluster.
type Disturb struct {
	// Nodes says that nodes may be cordoned, tainted, labelled, stopped and deleted.
	Nodes bool
	// Driver says that the pods of the driver and its sidecars may be deleted and restarted.
	Driver bool
	// Capacity says that zones may be filled until they have no room for another volume.
	Capacity bool
}

// PodSocket finds a CSI socket in a volume of the driver's pods.
type PodSocket struct {
	Namespace string
	// Selector is the label selector of the pods.
	Selector string
	// Volume is the pods' volume that holds the socket.
	Volume string
	// Path is the socket's path inside that volume.
	Path string
	// Control is the path of the recording proxy's control socket in the volume; empty if there is none.
	Control string
}

// Validate returns an error that names everything that is missing.
func (t *Target) Validate() error {
	var missing []error
	want := func(present bool, field string) {
		if !present {
			missing = append(missing, fmt.Errorf("the cluster target needs %s", field))
		}
	}
	want(t.REST != nil, "REST")
	want(t.Client != nil, "Client")
	want(t.Driver != "", "Driver")
	want(t.ZoneKey != "", "ZoneKey")
	want(t.AccessibleFrom != nil, "AccessibleFrom")
	want(t.WorkloadImage != "", "WorkloadImage")
	want(!t.VolumeSize.IsZero(), "VolumeSize")
	want(t.Timeouts.Poll > 0, "Timeouts; DefaultTimeouts gives a start")
	for name, socket := range map[string]*PodSocket{"Controller": t.Controller, "Node": t.Node} {
		if socket == nil {
			continue
		}
		want(socket.Namespace != "" && socket.Selector != "" && socket.Volume != "" && socket.Path != "",
			name+" with Namespace, Selector, Volume and Path")
		if _, err := labels.Parse(socket.Selector); err != nil {
			missing = append(missing, fmt.Errorf("%s.Selector: %w", name, err))
		}
	}
	return errors.Join(missing...)
}
