// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DataPath is the mount path of a workload's volume.
const DataPath = "/data"

// DevicePath is the path of a workload's raw block volume.
const DevicePath = "/dev/csi-topo"

// Pod builds a pod. Constraints for the scheduler place it, never spec.nodeName, which would bypass the scheduler and
// leave its volume unprovisioned.
type Pod struct{ object *corev1.Pod }

// SleepingPod returns a pod without a volume that any node may run.
func SleepingPod() *Pod {
	return &Pod{read("pod", &corev1.Pod{})}
}

// PodWith returns a pod that mounts the claim.
func PodWith(claim *corev1.PersistentVolumeClaim) *Pod {
	pod := SleepingPod()
	pod.object.Spec.Volumes = []corev1.Volume{{
		Name: "data",
		VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name},
		},
	}}
	pod.container().VolumeMounts = []corev1.VolumeMount{{Name: "data", MountPath: DataPath}}
	return pod
}

// PodWithDevice returns a pod that has the claim's raw block volume as a device.
func PodWithDevice(claim *corev1.PersistentVolumeClaim) *Pod {
	pod := SleepingPod()
	pod.object.Spec.Volumes = []corev1.Volume{{
		Name: "device",
		VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name},
		},
	}}
	pod.container().VolumeDevices = []corev1.VolumeDevice{{Name: "device", DevicePath: DevicePath}}
	return pod
}

// And makes the pod mount another claim as well.
func (p *Pod) And(claim *corev1.PersistentVolumeClaim) *Pod {
	return p.with("more", corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name},
	})
}

// ephemeral is the name of a pod's generic ephemeral volume.
const ephemeral = "ephemeral"

// EphemeralPath is the mount path of a workload's generic ephemeral volume.
const EphemeralPath = "/" + ephemeral

// EphemeralClaimOf returns the name of the claim that is created for the pod.
func EphemeralClaimOf(pod *corev1.Pod) string { return pod.Name + "-" + ephemeral }

// WithEphemeral makes the pod mount a generic ephemeral volume of the class. Its claim is created for the pod.
func (p *Pod) WithEphemeral(class *storagev1.StorageClass, size resource.Quantity) *Pod {
	return p.with(ephemeral, corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{
		VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: ClaimOf(class).Size(size).object.Spec},
	}})
}

// WithInline makes the pod mount a CSI ephemeral volume of this name, which has no claim.
func (p *Pod) WithInline(name string, volume corev1.CSIVolumeSource) *Pod {
	return p.with(name, corev1.VolumeSource{CSI: &volume})
}

// FSGroup sets the group that the pod's volumes belong to.
func (p *Pod) FSGroup(id int64) *Pod {
	p.object.Spec.SecurityContext = &corev1.PodSecurityContext{FSGroup: &id}
	return p
}

// WithheldVolume is the volume that a withheld pod waits for; no volume of a driver has this name.
const WithheldVolume = "withheld"

// Withheld keeps the node from starting the pod, which mounts a ConfigMap that does not exist. It is for pods whose only
// purpose is their place: the scheduler counts them, and they use few resources.
func (p *Pod) Withheld() *Pod {
	return p.with(WithheldVolume, corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
		LocalObjectReference: corev1.LocalObjectReference{Name: WithheldVolume},
	}})
}

// lingers is the time in seconds that a Lingering pod keeps running after SIGTERM: longer than any case waits.
const lingers int64 = 60

// Lingering makes the pod ignore SIGTERM: it runs until its grace period ends, or it is deleted at once.
func (p *Pod) Lingering() *Pod {
	grace := lingers
	p.object.Spec.TerminationGracePeriodSeconds = &grace
	p.container().Command = []string{"/bin/sh", "-c", "trap '' TERM; sleep 86400"}
	return p
}

// with mounts the volume at its name, below the root.
func (p *Pod) with(name string, source corev1.VolumeSource) *Pod {
	p.object.Spec.Volumes = append(p.object.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: source})
	p.container().VolumeMounts = append(p.container().VolumeMounts, corev1.VolumeMount{Name: name, MountPath: "/" + name})
	return p
}

// In requires a node of the segment.
func (p *Pod) In(segment Segment) *Pod { return p.selecting(segment) }

// OnNode requires the node of this host name.
func (p *Pod) OnNode(hostname string) *Pod {
	return p.selecting(Segment{corev1.LabelHostname: hostname})
}

// Bypassing puts the pod on the node by spec.nodeName, bypassing the scheduler, for the case that shows the effect.
func (p *Pod) Bypassing(node string) *Pod {
	p.object.Spec.NodeName = node
	return p
}

// InAny requires a node of one of the segments.
func (p *Pod) InAny(segments ...Segment) *Pod {
	p.nodeAffinity().RequiredDuringSchedulingIgnoredDuringExecution = anyOf(segments...)
	return p
}

// Preferring requests a node of the segment as strongly as a preference can.
func (p *Pod) Preferring(segment Segment) *Pod {
	const strongest = 100
	p.nodeAffinity().PreferredDuringSchedulingIgnoredDuringExecution = []corev1.PreferredSchedulingTerm{{
		Weight:     strongest,
		Preference: corev1.NodeSelectorTerm{MatchExpressions: expressions(segment)},
	}}
	return p
}

// Labelled gives the pod a label in addition to its own, app=workload.
func (p *Pod) Labelled(key, value string) *Pod {
	p.object.Labels[key] = value
	return p
}

// Avoiding keeps the pod out of every domain of the node label that has a pod with this label in its namespace.
func (p *Pod) Avoiding(topologyKey, key, value string) *Pod {
	p.affinity().PodAntiAffinity = &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}, TopologyKey: topologyKey,
		}},
	}
	return p
}

// Spreading adds topology spread constraints to the pod.
func (p *Pod) Spreading(constraints ...corev1.TopologySpreadConstraint) *Pod {
	p.object.Spec.TopologySpreadConstraints = append(p.object.Spec.TopologySpreadConstraints, constraints...)
	return p
}

// Tolerating lets the pod run on nodes with the taint.
func (p *Pod) Tolerating(taint corev1.Taint) *Pod {
	p.object.Spec.Tolerations = append(p.object.Spec.Tolerations, corev1.Toleration{
		Key: taint.Key, Operator: corev1.TolerationOpEqual, Value: taint.Value, Effect: taint.Effect,
	})
	return p
}

// ToleratingAll lets the pod run on every node, regardless of taints, including cordoned nodes.
func (p *Pod) ToleratingAll() *Pod {
	p.object.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	return p
}

// Seeing gives the pod a directory of its node, read-only at the same path, including later mounts below it.
func (p *Pod) Seeing(directory string) *Pod {
	const name = "host"
	fromHost := corev1.MountPropagationHostToContainer
	p.object.Spec.Volumes = append(p.object.Spec.Volumes, corev1.Volume{
		Name:         name,
		VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: directory}},
	})
	p.container().VolumeMounts = append(p.container().VolumeMounts, corev1.VolumeMount{
		Name: name, MountPath: directory, ReadOnly: true, MountPropagation: &fromHost,
	})
	return p
}

// CPU sets the pod's CPU request.
func (p *Pod) CPU(quantity resource.Quantity) *Pod {
	p.container().Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: quantity}
	return p
}

// Object returns the pod as built so far.
func (p *Pod) Object() *corev1.Pod { return p.object }

func (p *Pod) affinity() *corev1.Affinity {
	if p.object.Spec.Affinity == nil {
		p.object.Spec.Affinity = &corev1.Affinity{}
	}
	return p.object.Spec.Affinity
}

func (p *Pod) nodeAffinity() *corev1.NodeAffinity {
	if p.affinity().NodeAffinity == nil {
		p.affinity().NodeAffinity = &corev1.NodeAffinity{}
	}
	return p.affinity().NodeAffinity
}

func (p *Pod) container() *corev1.Container { return &p.object.Spec.Containers[0] }

func (p *Pod) selecting(labels Segment) *Pod {
	if p.object.Spec.NodeSelector == nil {
		p.object.Spec.NodeSelector = map[string]string{}
	}
	maps.Copy(p.object.Spec.NodeSelector, labels)
	return p
}
