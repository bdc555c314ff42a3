// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Provisioner is a case's own csi-provisioner, of the same release as the csi-provisioner of the driver under test. It
// serves a stand-in: the case sets the answer to each call. So it grades only csi-provisioner, under conditions that cannot
// be produced at will with a real driver, and disturbs no other case.
type Provisioner struct {
	s         *harness.Scenario
	driver    *StandIn
	namespace string
	pods      map[string]*proxied
	// gone are the calls of removed pods.
	gone []trace.Call
	// rules are the rules that the case added, in order, and sent counts them.
	rules []trace.Rule
	sent  int
}

// proxied is the proxy in one pod of the provisioner.
type proxied struct {
	*connections.Recording
	rules int
}

// Provisioning is the configuration of a provisioner.
type Provisioning struct {
	// Flags are arguments of csi-provisioner.
	Flags []string
	// Replicas is the number of its pods; 0 means one.
	Replicas int32
	// WithoutTopology says that the driver does not claim VOLUME_ACCESSIBILITY_CONSTRAINTS.
	WithoutTopology bool
	// WithoutCapacity says that the driver does not claim GET_CAPACITY.
	WithoutCapacity bool
	// NotReady makes Probe answer that the driver is not ready, until SayReady.
	NotReady bool
	// Attaches says that the driver claims PUBLISH_UNPUBLISH_VOLUME.
	Attaches bool
	// Node is the provisioner's node if each node has its own provisioner, and NodeSegment its topology.
	Node        topology.Node
	NodeSegment predicate.Segment
	// Room is the answer of GetCapacity for each zone of the stand-in, by its name, until Say.
	Room map[string]int64
}

// connect connects to the proxies in new pods, and gives them the rules of the case.
func (p *Provisioner) connect(ctx context.Context) error {
	pods, err := p.s.Target.PodsAt(ctx, &harness.PodSocket{Namespace: p.namespace, Selector: "app=" + workload.ProvisionerName})
	if err != nil {
		return err
	}
	for _, pod := range pods {
		if pod.Status.Phase != corev1.PodRunning || pod.DeletionTimestamp != nil {
			continue
		}
		if p.pods[pod.Name] == nil {
			socket := dial.Socket{Namespace: pod.Namespace, Pod: pod.Name, Container: workload.ProxyContainer, Path: "control.sock"}
			p.pods[pod.Name] = &proxied{Recording: p.s.Lines.Recording(socket)}
		}
	}
	for _, at := range p.pods {
		for ; at.rules < len(p.rules); at.rules++ {
			if err := at.AddRule(ctx, p.rules[at.rules]); err != nil {
				return err
			}
		}
	}
	return nil
}
