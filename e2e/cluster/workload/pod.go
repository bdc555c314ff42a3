package workload

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// DataPath is where a workload's volume is mounted.
const DataPath = "/data"

// Pod is a pod in the making. It is placed by constraints for the scheduler, never by
// spec.nodeName, which would bypass the scheduler and leave its volume unprovisioned.
type Pod struct{ object *corev1.Pod }

// SleepingPod is a pod without a volume that any node may run.
func SleepingPod() *Pod {
	return &Pod{read("pod", &corev1.Pod{})}
}

// PodWith is a pod that mounts the claim.
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

// In requires a node of the segment.
func (p *Pod) In(segment Segment) *Pod { return p.selecting(segment) }

// OnNode requires the node of this host name.
func (p *Pod) OnNode(hostname string) *Pod {
	return p.selecting(Segment{corev1.LabelHostname: hostname})
}

// Preferring asks for a node of the segment as strongly as a preference can.
func (p *Pod) Preferring(segment Segment) *Pod {
	const strongest = 100
	p.object.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
			Weight:     strongest,
			Preference: corev1.NodeSelectorTerm{MatchExpressions: expressions(segment)},
		}},
	}}
	return p
}

// Seeing gives the pod a directory of its node, at the same path, with what is mounted below
// it there, also later; the pod cannot write to it.
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

// CPU makes the pod ask for this much processor time.
func (p *Pod) CPU(quantity resource.Quantity) *Pod {
	p.container().Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: quantity}
	return p
}

// Object is the pod as built so far.
func (p *Pod) Object() *corev1.Pod { return p.object }

func (p *Pod) container() *corev1.Container { return &p.object.Spec.Containers[0] }

func (p *Pod) selecting(labels Segment) *Pod {
	if p.object.Spec.NodeSelector == nil {
		p.object.Spec.NodeSelector = map[string]string{}
	}
	maps.Copy(p.object.Spec.NodeSelector, labels)
	return p
}
