// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/secrets"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// annotation is the annotation with which a claim names a secret.
const annotation = "csi-topo/secret"

// use is one of the secrets that a class names.
type use struct {
	// parameter is the prefix of its parameters, and the secret's only key.
	parameter string
	// template is the secret's name in the class, and name returns the name for a claim.
	template string
	name     func(*corev1.PersistentVolumeClaim) string
	// methods are the calls that carry it.
	methods []string
	// ref returns the volume's reference to it; nil if it has none.
	ref func(*corev1.CSIPersistentVolumeSource) *corev1.SecretReference
}

// uses returns all uses with a template for the secret's name, with each kind of template.
func uses() []use {
	claimName := func(c *corev1.PersistentVolumeClaim) string { return c.Name }
	return []use{
		{
			"provisioner", "provisioner-${pvc.name}", func(c *corev1.PersistentVolumeClaim) string { return "provisioner-" + claimName(c) },
			[]string{"CreateVolume", "DeleteVolume"}, nil,
		},
		{
			"controller-publish", "publish-${pv.name}", func(c *corev1.PersistentVolumeClaim) string { return "publish-" + recorder.NameOf(c) },
			[]string{"ControllerPublishVolume", "ControllerUnpublishVolume"},
			func(v *corev1.CSIPersistentVolumeSource) *corev1.SecretReference { return v.ControllerPublishSecretRef },
		},
		{
			"node-stage", "stage-${pvc.annotations['" + annotation + "']}", func(c *corev1.PersistentVolumeClaim) string { return "stage-" + c.Annotations[annotation] },
			[]string{"NodeStageVolume"},
			func(v *corev1.CSIPersistentVolumeSource) *corev1.SecretReference { return v.NodeStageSecretRef },
		},
		{
			"node-publish", "node-publish-${pvc.namespace}", func(c *corev1.PersistentVolumeClaim) string { return "node-publish-" + c.Namespace },
			[]string{"NodePublishVolume"},
			func(v *corev1.CSIPersistentVolumeSource) *corev1.SecretReference { return v.NodePublishSecretRef },
		},
		{
			"controller-expand", "expand-${pvc.name}", func(c *corev1.PersistentVolumeClaim) string { return "expand-" + claimName(c) },
			[]string{"ControllerExpandVolume"},
			func(v *corev1.CSIPersistentVolumeSource) *corev1.SecretReference { return v.ControllerExpandSecretRef },
		},
		{
			"node-expand", "node-expand-${pv.name}", func(c *corev1.PersistentVolumeClaim) string { return "node-expand-" + recorder.NameOf(c) },
			[]string{"NodeExpandVolume"},
			func(v *corev1.CSIPersistentVolumeSource) *corev1.SecretReference { return v.NodeExpandSecretRef },
		},
	}
}

// claimWith creates a class that names all of these secrets, a claim of it, and the secrets.
func claimWith(ctx context.Context, s *harness.Scenario, uses []use) *corev1.PersistentVolumeClaim {
	secrets.Grant(ctx, s)
	named := map[string]string{}
	for _, u := range uses {
		named[prefix+u.parameter+"-secret-name"] = u.template
		named[prefix+u.parameter+"-secret-namespace"] = "${pvc.namespace}"
	}
	class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer().Parameters(parametersWith(s, s.Target.AccessibleFrom(1), named)))
	claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).Annotated(annotation, "as-annotated"))
	for _, u := range uses {
		secrets.Create(ctx, s, u.name(claim), u.parameter)
	}
	return claim
}

// mount runs a pod on the node with the claim's volume, which grows meanwhile if the driver supports it, and returns
// the volume once it is detached.
func mount(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, at topology.Node) *corev1.PersistentVolume {
	pod := pods.Create(ctx, s, workload.PodWith(claim).OnNode(at.Hostname))
	pods.MustRun(ctx, s, pod)
	volume := claims.VolumeOf(ctx, s, claim)
	if needs.Met(ctx, s, needs.Expansion()) {
		growth.MustDouble(ctx, s, pod, claim)
	}
	pods.Remove(ctx, s, pod)
	attachments.MustBeDetached(ctx, s, volume)
	return volume
}
