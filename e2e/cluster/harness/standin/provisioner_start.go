// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// StartProvisioner starts a provisioner for the stand-in. It runs until the case ends, and then deletes the volumes that it
// created.
func (d *StandIn) StartProvisioner(ctx context.Context, how Provisioning) *Provisioner {
	s := d.s
	s.Injects = true
	image, beside := imageOf(ctx, s, "csi-provisioner")
	p := &Provisioner{s: s, driver: d, namespace: s.CreateNamespace(ctx), pods: map[string]*proxied{}}
	built := workload.ProvisionerOf(image, s.Target.WorkloadImage).Beside(beside).
		Flags("--feature-gates=Topology=true").Flags(how.Flags...).Flags(s.Target.ProvisionerFlags...).Answering(d.firstRules(how)...)
	if how.Replicas > 0 {
		built.Replicas(how.Replicas)
	}
	if how.Node.Name != "" {
		built.NodeName(how.Node.Name)
	}
	s.OnCleanUp(p.retire)
	permit(ctx, s, p.namespace, workload.ProvisionerName, workload.ProvisionerRole())
	deployment := built.Object()
	deployment.Namespace = p.namespace
	s.Need(s.Resources().Create(ctx, deployment), "creating a provisioner")
	s.Until(ctx, s.Target.Timeouts.Restart, "the case's own provisioner running", s.Look(deployment, func() error {
		return allReady(deployment)
	}))
	s.Need(p.connect(ctx), "reaching the provisioner's proxy")
	return p
}

// allReady returns an error unless all pods of the Deployment are ready.
func allReady(deployment *appsv1.Deployment) error {
	if ready := deployment.Status.ReadyReplicas; ready < *deployment.Spec.Replicas {
		return fmt.Errorf("%d of %d pods are ready", ready, *deployment.Spec.Replicas)
	}
	return nil
}
