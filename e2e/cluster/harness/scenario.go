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

// Scenario is what one case works with: its namespace, the zones and the driver. Functions called Must… end the case
// with a verdict if they are not satisfied.
type Scenario struct {
	// Target is the driver under test and its cluster.
	Target *Target
	// Kube reaches the cluster for what the target's Client does not offer.
	Kube kubernetes.Interface
	// Lines are the connections that cases share.
	Lines *connections.Shared
	// Driver is the driver's controllers.
	Driver *plugins.All
	// Namespace contains what the case makes, and is a unique word.
	Namespace string
	// Segments are the topologies of all nodes with the driver, whether they take pods or not, in order.
	Segments []predicate.Segment
	// Unzoned says which node lacks one of the driver's topology keys; nil when all have them.
	Unzoned error
	// CapacityTracked reports that the scheduler checks room before it chooses a node.
	CapacityTracked bool
	// Before is what was there when the case began. It is empty as far as others take from the same room.
	Before predicate.Holdings
	// Injects says that the case has injected answers to calls.
	Injects bool

	// id is the case's id.
	id string
	// began is when the case began, by the clock here.
	began time.Time
	// alone says that no other case runs, so that everything new in the driver is the case's own.
	alone bool
	// pool are the parameters of classes with room of the case's own; nil if it shares room with others.
	pool map[string]string
	// giveBack lets another case use the pool.
	giveBack func()
	// zones are the zones that have nodes with the driver; none if Unzoned is set.
	zones []topology.Zone
	// ours maps the names of PersistentVolumes of the case's claims, as far as they were seen, to their handles.
	ours map[string]string
	// others are the other namespaces of the case.
	others []string
	// placed records where the case's pods and volumes are.
	placed *placement.Log
	// named is the number of names that the case was given.
	named int
	// kept is what packages keep for the case, by its type.
	kept     map[any]any
	cleanUps cleanUps
	// atEnd are functions that look at what the case left, besides Holdings.
	atEnd []func(context.Context)
	// left are the kinds of objects that the case leaves if it fails, in addition to the usual ones.
	left []evidence.Kind
}

// Kept returns what a package keeps for the case in a type of its own, zero at first.
func Kept[T any](s *Scenario) *T {
	var key *T
	if s.kept[key] == nil {
		s.kept[key] = new(T)
	}
	return s.kept[key].(*T)
}

// Resources reaches the objects of the case's namespace and cluster-scoped objects.
func (s *Scenario) Resources() *resources.Resources { return s.Target.Client.Resources(s.Namespace) }

// Name returns a unique name for an object of the case outside of its namespace; what says what it is.
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
