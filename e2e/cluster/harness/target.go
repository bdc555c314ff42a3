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
	// REST reaches the cluster for what Client has no words for: watches and exec.
	REST *rest.Config
	// Client reaches the cluster for its objects. It should have no rate limit (QPS -1), as
	// the waits set their own pace.
	Client klient.Client
	// Driver is the CSI name of the driver: the provisioner of a StorageClass.
	Driver string
	// RegionKey is the driver's topology key for regions, empty for a driver without one.
	RegionKey string
	// ZoneKey is the driver's topology key for zones.
	ZoneKey string
	// AccessibleFrom returns the StorageClass parameters of a volume that is accessible from
	// x topologies. Nil for x > 1 says that the driver has no such volumes.
	AccessibleFrom func(x int) map[string]string
	// Pools are StorageClass parameters, each of which choose room of their own: what one of them takes, no other has less
	// of. A case that counts or takes room is given one, so that others can run beside it; without any, it runs alone.
	Pools []map[string]string
	// SnapshotParameters are VolumeSnapshotClass parameters.
	SnapshotParameters map[string]string
	// GroupSnapshotParameters are VolumeGroupSnapshotClass parameters.
	GroupSnapshotParameters map[string]string
	// MutableParameters are what the driver can modify of a volume, and to what; none where nothing is known of that.
	MutableParameters map[string]string
	// WorkloadImage holds a shell, sleep and df in /bin, and /csi-topo-sidecar.
	WorkloadImage string
	// Controller finds the socket of the driver's controller; nil where nobody says where it is.
	Controller *PodSocket
	// ControllerPerNode says that the driver has a controller on each node, for the volumes
	// of that node alone.
	ControllerPerNode bool
	// Node finds the socket of the driver's node plugin on each node; nil where nobody says where it is.
	Node *PodSocket
	// VolumeSize is the smallest volume with a file system that the driver makes.
	VolumeSize resource.Quantity
	// ReadWriteMany is the kind of volume that pods on several nodes mount and write at once; nil for a driver without.
	ReadWriteMany *profile.Kind
	// Block says that the driver has raw block volumes.
	Block bool
	// Exclusive says that nobody else creates or deletes volumes of the driver during the run. Where somebody does, only
	// objects that the case made itself are looked at.
	Exclusive bool
	// Capacity says what follows from the driver's GetCapacity.
	Capacity profile.Capacity
	// Disturb is what the run may disturb.
	Disturb Disturb
	// Machines stops and starts the machines that nodes run on; nil where nobody can.
	Machines Machines
	// Slow has cases run that take minutes.
	Slow bool
	// Waivers set aside what cases find.
	Waivers []suite.Waiver
	// Parallel is how many cases may run at once, of those that do not disturb each other; 0 and 1 are one after another.
	Parallel int
	// FailuresDir is the directory below which each case that does not pass leaves what it saw; empty for none.
	FailuresDir string
	// Timeouts limit every wait.
	Timeouts timeouts.Limits
	// ProvisionerFlags are injected into the provisioners that cases start.
	ProvisionerFlags []string
}

// Machines are those that the nodes of the cluster run on.
type Machines interface {
	// StopNode takes a node away as a loss of power would: nothing runs there any longer and nothing is mounted, and nobody
	// was told.
	StopNode(ctx context.Context, node string) error
	// StartNode has a stopped node run again; it does not wait for the node to be ready.
	StartNode(ctx context.Context, node string) error
	// RestartKubelet has the kubelet of a node start anew, while all that runs there goes on; it does not wait for the node
	// to be ready.
	RestartKubelet(ctx context.Context, node string) error
}

// Disturb is what cases may take from whoever else uses the cluster, and give back.
type Disturb struct {
	// Nodes may be cordoned, tainted, labelled, stopped and deleted.
	Nodes bool
	// Driver allows the pods of the driver and its sidecars to be deleted and restarted.
	Driver bool
	// Capacity may be taken away until a zone has no room for another volume.
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
	// Control is the path there of the control socket of a recording proxy; empty where none is.
	Control string
}

// Validate names everything that is missing.
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
