// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func class(name string) *storagev1.StorageClass {
	c := WaitForFirstConsumer().Object()
	c.Name = name
	return c
}

func TestClassesBindAsTheirNamesSay(t *testing.T) {
	if got := *WaitForFirstConsumer().Object().VolumeBindingMode; got != storagev1.VolumeBindingWaitForFirstConsumer {
		t.Errorf("WaitForFirstConsumer binds %s", got)
	}
	if got := *Immediate().Object().VolumeBindingMode; got != storagev1.VolumeBindingImmediate {
		t.Errorf("Immediate binds %s", got)
	}
	if got := *Immediate().Retained().Object().ReclaimPolicy; got != corev1.PersistentVolumeReclaimRetain {
		t.Errorf("a retained class has the policy %s", got)
	}
	if *Immediate().NotExpandable().Object().AllowVolumeExpansion || !*Immediate().Object().AllowVolumeExpansion {
		t.Error("only a class that is not expandable forbids growth")
	}
}

func TestClassAllowsSegmentsAsSeparateTerms(t *testing.T) {
	terms := Immediate().AllowedIn(Segment{"region": "R1", "zone": "Z2"}, Segment{"region": "R2", "zone": "Z3"}).Object().AllowedTopologies
	if len(terms) != 2 {
		t.Fatalf("%d terms, wanted one for each segment", len(terms))
	}
	second := terms[1].MatchLabelExpressions
	if len(second) != 2 || second[0].Key != "region" || second[0].Values[0] != "R2" || second[1].Values[0] != "Z3" {
		t.Errorf("second term %v, wanted region R2 and zone Z3", second)
	}
}

func TestPodMountsTheClaimWhereItIsSent(t *testing.T) {
	claim := ClaimOf(class("fast")).Named("data-1").Size(resource.MustParse("1Gi")).Object()
	if *claim.Spec.StorageClassName != "fast" || claim.GenerateName != "" {
		t.Errorf("claim of class %q with generateName %q", *claim.Spec.StorageClassName, claim.GenerateName)
	}
	pod := PodWith(claim).In(Segment{"zone": "Z2"}).OnNode("w1").Object()
	if got := pod.Spec.Volumes[0].PersistentVolumeClaim.ClaimName; got != "data-1" {
		t.Errorf("the pod mounts claim %q, wanted data-1", got)
	}
	if got := pod.Spec.Containers[0].VolumeMounts[0].MountPath; got != DataPath {
		t.Errorf("the volume is at %q, wanted %q", got, DataPath)
	}
	if pod.Spec.NodeSelector["zone"] != "Z2" || pod.Spec.NodeSelector[corev1.LabelHostname] != "w1" {
		t.Errorf("node selector %v, wanted zone Z2 and host w1", pod.Spec.NodeSelector)
	}
	if pod.Spec.NodeName != "" {
		t.Errorf("the pod is on node %s past the scheduler", pod.Spec.NodeName)
	}
}

func TestVolumeIsForOneClaimOrForAny(t *testing.T) {
	claim := ClaimOf(class("fast")).Named("data-1").Selecting("tier", "gold").Object()
	claim.Namespace, claim.UID = "default", "uid-1"
	if ref := VolumeFor(claim, class("fast")).Object().Spec.ClaimRef; ref.Name != "data-1" || ref.Namespace != "default" || ref.UID != "uid-1" {
		t.Errorf("the volume of the claim is for %v", ref)
	}
	free := VolumeOf(class("fast"), "volume-1").Driver("other").Object()
	if free.Spec.ClaimRef != nil || free.Spec.StorageClassName != "fast" || free.Spec.CSI.Driver != "other" || free.Spec.CSI.VolumeHandle != "volume-1" {
		t.Errorf("the volume of the class is %+v", free.Spec)
	}
	if ref := VolumeOf(class("fast"), "volume-1").For("default", "data-1").Object().Spec.ClaimRef; ref.Name != "data-1" || ref.UID != "" {
		t.Errorf("the volume that waits for a claim is for %v", ref)
	}
	if claim.Spec.Selector.MatchLabels["tier"] != "gold" {
		t.Errorf("the claim selects %v", claim.Spec.Selector)
	}
}

func TestStatefulSetSpreadsItsOwnPods(t *testing.T) {
	set := StatefulSetOf(class("fast"), 6).In(Segment{"zone": "Z2"}, Segment{"zone": "Z3"}).Spread("zone", 1, corev1.DoNotSchedule).Object()
	if got := *set.Spec.VolumeClaimTemplates[0].Spec.StorageClassName; got != "fast" {
		t.Errorf("claims of class %q, wanted fast", got)
	}
	constraint := set.Spec.Template.Spec.TopologySpreadConstraints[0]
	for key, value := range constraint.LabelSelector.MatchLabels {
		if set.Spec.Template.Labels[key] != value {
			t.Errorf("the constraint counts pods with %s=%s, the set's have %q", key, value, set.Spec.Template.Labels[key])
		}
	}
	terms := set.Spec.Template.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	if len(terms) != 2 || terms[1].MatchExpressions[0].Values[0] != "Z3" {
		t.Errorf("node affinity terms %v, wanted one for each segment", terms)
	}
}

func TestStatefulSetOfDevices(t *testing.T) {
	set := StatefulSetOf(class("fast"), 2).Block().Object()
	claim, container := set.Spec.VolumeClaimTemplates[0], set.Spec.Template.Spec.Containers[0]
	if mode := claim.Spec.VolumeMode; mode == nil || *mode != corev1.PersistentVolumeBlock {
		t.Errorf("claims have the volumeMode %v, want Block", mode)
	}
	if len(container.VolumeMounts) > 0 || len(container.VolumeDevices) != 1 {
		t.Fatalf("the container has the mounts %v and the devices %v, want one device alone", container.VolumeMounts, container.VolumeDevices)
	}
	if device := container.VolumeDevices[0]; device.Name != claim.Name || device.DevicePath != DevicePath {
		t.Errorf("the container has %s at %s, want %s at %s", device.Name, device.DevicePath, claim.Name, DevicePath)
	}
}

func TestSchedulerRunsWhereItsImageIs(t *testing.T) {
	pod := SchedulerOf("kube-scheduler:v1", "control-plane", "A=true")
	if pod.Spec.NodeName != "control-plane" || pod.Spec.Containers[0].Image != "kube-scheduler:v1" {
		t.Errorf("it has image %q, on node %q", pod.Spec.Containers[0].Image, pod.Spec.NodeName)
	}
	if args := pod.Spec.Containers[0].Args; args[len(args)-1] != "--feature-gates=A=true" {
		t.Errorf("its arguments are %q, want the feature gate among them", args)
	}
	if got := SleepingPod().ScheduledBy("own").Object().Spec.SchedulerName; got != "own" {
		t.Errorf("the pod is scheduled by %q", got)
	}
	if got := DeploymentOf(1).ScheduledBy("own").Object().Spec.Template.Spec.SchedulerName; got != "own" {
		t.Errorf("the Deployment's pods are scheduled by %q", got)
	}
}
