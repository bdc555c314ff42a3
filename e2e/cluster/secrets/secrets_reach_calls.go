// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"
	"path"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/secrets"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// annotation is what a claim names a secret by.
const annotation = "csi-topo/secret"

// use is one of the secrets that a class names.
type use struct {
	// parameter is the word that its parameters begin with, and the secret's only key.
	parameter string
	// template is the secret's name in the class, and name what it is for a claim.
	template string
	name     func(*corev1.PersistentVolumeClaim) string
	// methods are the calls that carry it.
	methods []string
	// ref is where the volume names it; nil where it does not.
	ref func(*corev1.CSIPersistentVolumeSource) *corev1.SecretReference
}

// uses are all that take a name by a template, each template in turn.
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

// Each call carries the secret that the class names for it, and no other: the class names six, whose names follow from
// the claim and the volume. The driver may need none, and takes them all the same.
func secretsReachCalls() harness.Case {
	return harness.Case{
		ID:           "secrets_reach_calls",
		Text:         "carries with each call the secret that the class names for it, by a template, and no other",
		Requirements: []string{"K8S-L1", "CU-12", "SEC-04"},
		Needs:        needs.All(needs.OneProvisioner(), needs.Recorder(), needs.RecorderOnNodes()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			secrets.Grant(ctx, s)
			named := map[string]string{}
			for _, u := range uses() {
				named[prefix+u.parameter+"-secret-name"] = u.template
				named[prefix+u.parameter+"-secret-namespace"] = "${pvc.namespace}"
			}
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer().Parameters(parametersWith(s, named)))
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).Annotated(annotation, "as-annotated"))
			for _, u := range uses() {
				secrets.Create(ctx, s, u.name(claim), u.parameter)
			}

			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			volume, onNode := claims.VolumeOf(ctx, s, claim), recorder.On(ctx, s, s.NodeOf(pod))
			for _, u := range uses() {
				if u.ref != nil {
					s.PlatformCheck(ctx, "K8S-L1", predicate.SecretRef("secret of volume "+volume.Name+" for "+u.parameter, u.ref(volume.Spec.CSI), claim.Namespace, u.name(claim)))
				}
			}
			if s.Driver.Grows() {
				growth.MustDouble(ctx, s, pod, claim)
			}
			pods.Remove(ctx, s, pod)
			attachments.MustBeDetached(ctx, s, volume)
			claims.MustDelete(ctx, s, claim, volume)

			created, err := recorder.Created(ctx, s, claim)
			s.Need(err, "reading the recorded calls")
			controller, err := recorder.CallsFor(ctx, s, volume)
			s.Need(err, "reading the recorded calls")
			node, err := onNode.Calls(ctx, volume)
			s.Need(err, "reading the calls recorded on node %s", s.NodeOf(pod).Name)
			carry(ctx, s, append(append(created, controller...), node...))
		},
	}
}

// carry wants each of the calls to have carried its secret.
func carry(ctx context.Context, s *harness.Scenario, calls []trace.Call) {
	seen := map[string]int{}
	for _, u := range uses() {
		for _, method := range u.methods {
			for _, call := range predicate.CallsOf(calls, method) {
				seen[path.Base(call.Method)]++
				s.PlatformCheck(ctx, "K8S-L1", predicate.CarriesSecret(call, u.parameter))
				s.PlatformCheck(ctx, "K8S-L1", predicate.WithoutSecretParameters(call))
			}
		}
	}
	suite.Evidence(ctx, "calls that carry a secret", seen)
	for _, always := range []string{"CreateVolume", "NodePublishVolume", "DeleteVolume"} {
		s.Need(predicate.Called(calls, always), "looking for a call that every volume takes")
	}
}
