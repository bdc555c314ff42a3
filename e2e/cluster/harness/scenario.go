// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"maps"
	"time"

	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/evidence"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/placement"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/plugins"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// Scenario is the context of one case: its namespace, the zones and the driver. Functions called Must… end the case with a
// verdict if they are not satisfied.
type Scenario struct {
	// Target is the driver under test and its cluster.
	Target *Target
	// Kube is a client for calls that the target's Client does not offer.
	Kube kubernetes.Interface
	// Lines are the connections that cases share.
	Lines *connections.Shared
	// Driver is the driver's controllers.
	Driver *plugins.All
	// Namespace contains the objects that the case creates. Its name is unique.
	Namespace string
	// Segments are the topologies of all nodes with the driver, whether they accept pods or not, in order.
	Segments []predicate.Segment
	// Unzoned is an error that names a node without one of the driver's topology keys; nil if all nodes have them.
	Unzoned error
	// CapacityTracked reports that the scheduler checks room before it chooses a node.
	CapacityTracked bool
	// Before is the state when the case began. It omits anything that others may change meanwhile.
	Before predicate.Holdings
	// Injects says that the case has injected answers to calls.
	Injects bool

	// id is the case's id.
	id string
	// began is the time when the case began, by the local clock.
	began time.Time
	// alone says that no other case runs, so that everything new in the driver is the case's own.
	alone bool
	// pool holds the class parameters for the case's separate room; nil if the case shares room with others.
	pool map[string]string
	// giveBack returns the pool, for another case.
	giveBack func()
	// zones are the zones that have nodes with the driver; none if Unzoned is set.
	zones []topology.Zone
	// ours maps the names of observed PersistentVolumes of the case's claims to their handles.
	ours map[string]string
	// others are the other namespaces of the case.
	others []string
	// placed records the location of the case's pods and volumes.
	placed *placement.Log
	// named is the number of names that Name has returned.
	named int
	// kept holds the values that packages keep for the case, by type.
	kept     map[any]any
	cleanUps cleanUps
	// atEnd are functions that check for leftovers of the case, in addition to Holdings.
	atEnd []func(context.Context)
	// left are the kinds of objects in the evidence of the case, in addition to the usual ones.
	left []evidence.Kind
}

// Kept returns the value that a package keeps for the case in its own type, initially zero.
func Kept[T any](s *Scenario) *T {
	var key *T
	if s.kept[key] == nil {
		s.kept[key] = new(T)
	}
	return s.kept[key].(*T)
}

// Resources returns a client for the objects of the case's namespace and cluster-scoped objects.
func (s *Scenario) Resources() *resources.Resources { return s.Target.Client.Resources(s.Namespace) }

// Name returns a unique name for an object of the case outside of its namespace; what is part of the name.
func (s *Scenario) Name(what string) string {
	s.named++
	return fmt.Sprintf("%s-%s-%d", s.Namespace, what, s.named)
}

// AccessibleFrom returns the parameters of volumes that are accessible from x topologies and, if the case has a pool,
// have their room there; the case must need them.
func (s *Scenario) AccessibleFrom(x int) map[string]string {
	parameters := maps.Clone(s.Target.AccessibleFrom(x))
	if len(s.pool) > 0 && parameters == nil {
		parameters = map[string]string{}
	}
	maps.Copy(parameters, s.pool)
	return parameters
}
