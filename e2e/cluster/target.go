package cluster

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/e2e-framework/klient"
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
	// WorkloadImage holds a shell, sleep and df in /bin, and the relay program at /relay.
	WorkloadImage string
	// Controller finds the socket of the driver's controller.
	Controller PodSocket
	// ControllerPerNode says that the driver has a controller on each node, for the volumes
	// of that node alone.
	ControllerPerNode bool
	// Node finds the socket of the driver's node plugin on each node.
	Node PodSocket
	// VolumeSize is the smallest volume with a file system that the driver makes.
	VolumeSize resource.Quantity
	// Timeouts limit every wait.
	Timeouts Timeouts
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
	for name, socket := range map[string]PodSocket{"Controller": t.Controller, "Node": t.Node} {
		want(socket.Namespace != "" && socket.Selector != "" && socket.Volume != "" && socket.Path != "",
			name+" with Namespace, Selector, Volume and Path")
		if _, err := labels.Parse(socket.Selector); err != nil {
			missing = append(missing, fmt.Errorf("%s.Selector: %w", name, err))
		}
	}
	return errors.Join(missing...)
}
