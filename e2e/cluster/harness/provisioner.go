// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Provisioner is a csi-provisioner of the case's own, of the release that runs beside the driver under test. The driver that
// it serves is a stand-in: the case says what each call is answered with. So it grades csi-provisioner alone, under
// conditions that no driver can be brought into at will, and disturbs nobody.
type Provisioner struct {
	s         *Scenario
	driver    *StandIn
	namespace string
	pods      map[string]*proxied
	// gone are the calls of pods that were deposed.
	gone []trace.Call
	// rules are those that the case added, in order, and sent counts them.
	rules []trace.Rule
	sent  int
}

// proxied is the proxy in one pod of the provisioner.
type proxied struct {
	*recording
	rules int
}

// Provisioning is how a provisioner is to run.
type Provisioning struct {
	// Flags are arguments of csi-provisioner.
	Flags []string
	// Replicas is the number of its pods, 0 for one.
	Replicas int32
	// WithoutTopology has the driver not claim VOLUME_ACCESSIBILITY_CONSTRAINTS.
	WithoutTopology bool
	// Node is the one that the provisioner is for, where each node has its own, and NodeSegment its topology.
	Node        Node
	NodeSegment predicate.Segment
	// Room is what GetCapacity answers for each zone of the stand-in, by its name, until Say.
	Room map[string]int64
}

var provisionerImage = regexp.MustCompile(`(^|/)csi-provisioner(:|@|$)`)

// StartProvisioner starts a provisioner for the stand-in. It runs until the case ends, and then deletes the volumes that it
// was answered.
func (d *StandIn) StartProvisioner(ctx context.Context, how Provisioning) *Provisioner {
	s := d.s
	s.injects = true
	image, beside := s.provisionerImage(ctx)
	p := &Provisioner{s: s, driver: d, namespace: s.CreateNamespace(ctx), pods: map[string]*proxied{}}
	built := workload.ProvisionerOf(image, s.Target.WorkloadImage).Beside(beside).
		Flags("--feature-gates=Topology=true").Flags(how.Flags...).Flags(s.Target.provisionerFlags...).Answering(d.rules(how)...)
	if how.Replicas > 0 {
		built.Replicas(how.Replicas)
	}
	if how.Node.Name != "" {
		built.NodeName(how.Node.Name)
	}
	s.undo = append(s.undo, p.retire)
	p.permit(ctx)
	deployment := built.Object()
	deployment.Namespace = p.namespace
	s.Need(s.Resources().Create(ctx, deployment), "creating a provisioner")
	s.Until(ctx, s.Target.Timeouts.Restart, "provisioner of the case's own running", s.Look(deployment, func() error {
		return provisionerRuns(deployment)
	}))
	s.Need(p.connect(ctx), "reaching the provisioner's proxy")
	return p
}

func provisionerRuns(deployment *appsv1.Deployment) error {
	if ready := deployment.Status.ReadyReplicas; ready < *deployment.Spec.Replicas {
		return fmt.Errorf("%d of %d pods are ready", ready, *deployment.Spec.Replicas)
	}
	return nil
}

// provisionerImage is that of the csi-provisioner beside the driver under test, and a pod that runs it.
func (s *Scenario) provisionerImage(ctx context.Context) (string, *corev1.Pod) {
	for _, pod := range s.mustFindControllers(ctx) {
		for _, container := range pod.Spec.Containers {
			if provisionerImage.MatchString(container.Image) {
				return container.Image, &pod
			}
		}
	}
	suite.Skip(suite.ByEnvironment, "no container beside the driver's controller has an image called csi-provisioner")
	return "", nil
}

// permit lets the provisioner do its work.
func (p *Provisioner) permit(ctx context.Context) {
	s := p.s
	account := &corev1.ServiceAccount{}
	account.Name, account.Namespace = workload.ProvisionerName, p.namespace
	s.Need(s.Resources().Create(ctx, account), "creating a service account")
	role, binding := workload.ProvisionerRole(), &rbacv1.ClusterRoleBinding{}
	role.Name, binding.Name = p.namespace, p.namespace
	binding.RoleRef = rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name}
	binding.Subjects = []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: account.Name, Namespace: account.Namespace}}
	if err := errors.Join(s.Resources().Create(ctx, role), s.Resources().Create(ctx, binding)); apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not give a provisioner its rights: %v", err)
	} else {
		s.Need(err, "giving the provisioner its rights")
	}
}

// connect reaches the proxies of pods that it has not reached yet, and gives them the rules of the case.
func (p *Provisioner) connect(ctx context.Context) error {
	pods, err := p.s.Target.podsAt(ctx, &PodSocket{Namespace: p.namespace, Selector: "app=" + workload.ProvisionerName})
	if err != nil {
		return err
	}
	for _, pod := range pods {
		if pod.Status.Phase != corev1.PodRunning || pod.DeletionTimestamp != nil {
			continue
		}
		if p.pods[pod.Name] == nil {
			socket := dial.Socket{Namespace: pod.Namespace, Pod: pod.Name, Container: workload.ProxyContainer, Path: "control.sock"}
			p.pods[pod.Name] = &proxied{recording: p.s.lines.recording(socket)}
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
