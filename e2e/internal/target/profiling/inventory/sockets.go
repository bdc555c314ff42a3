// SPDX-License-Identifier: Apache-2.0

package inventory

import (
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Names of the flags of sidecars, and of the recording proxy, for the paths of sockets.
const (
	addressFlag      = "csi-address"
	registrationFlag = "kubelet-registration-path"
	controlFlag      = "control"
	driverFlag       = "driver"
)

// provisioner is the end of the names of csi-provisioner's images, in any registry.
const provisioner = "csi-provisioner"

// nodes returns the workloads that register the driver with the kubelet: the driver's name is in the path of their
// registrar, or of their directory of the kubelet's plugins.
func (o *Objects) nodes() []Workload {
	return o.those(func(w Workload) bool {
		return slices.ContainsFunc(w.Pod.Volumes, func(v corev1.Volume) bool {
			return v.HostPath != nil && strings.Contains(v.HostPath.Path, "/plugins/"+o.Driver)
		}) || slices.ContainsFunc(containers(w.Pod), func(c corev1.Container) bool {
			return strings.Contains(flagOf(c, registrationFlag), "/"+o.Driver+"/")
		})
	})
}

// controllers returns the workloads with a csi-provisioner that name the driver, or otherwise those in the namespaces of
// its nodes.
func (o *Objects) controllers() []Workload {
	all := o.those(func(w Workload) bool {
		_, found := provisionerOf(w.Pod)
		return found
	})
	named := slices.DeleteFunc(slices.Clone(all), func(w Workload) bool { return !strings.Contains(w.Pod.String(), o.Driver) })
	if len(named) > 0 {
		return named
	}
	nodes := o.nodes()
	beside := slices.DeleteFunc(slices.Clone(all), func(w Workload) bool {
		return !slices.ContainsFunc(nodes, func(node Workload) bool { return node.Namespace == w.Namespace })
	})
	if len(beside) > 0 {
		return beside
	}
	return all
}

func (o *Objects) those(are func(Workload) bool) []Workload {
	var found []Workload
	for _, w := range o.Workloads {
		if are(w) {
			found = append(found, w)
		}
	}
	return found
}

func provisionerOf(pod corev1.PodSpec) (corev1.Container, bool) {
	for _, c := range containers(pod) {
		name, _, _ := strings.Cut(path.Base(c.Image), ":")
		if name, _, _ = strings.Cut(name, "@"); strings.HasSuffix(name, provisioner) {
			return c, true
		}
	}
	return corev1.Container{}, false
}

// containers returns the containers that run as long as the pod, including sidecar containers.
func containers(pod corev1.PodSpec) []corev1.Container {
	return slices.Concat(pod.InitContainers, pod.Containers)
}

// socket returns the location of the driver's socket in the workload's pods: a socket behind a recording proxy, otherwise
// the one in the flags of the container, otherwise of any sidecar; ok is false if there is none.
func (w Workload) socket(told *corev1.Container) (profile.Socket, bool) {
	found := profile.Socket{Namespace: w.Namespace, Selector: metav1.FormatLabelSelector(w.Selector)}
	for _, c := range containers(w.Pod) {
		control, driver := flagOf(c, controlFlag), flagOf(c, driverFlag)
		volume, inside, ok := within(c, driver)
		if controlVolume, controlPath, same := within(c, control); ok && same && controlVolume == volume {
			found.Volume, found.Path, found.Control = volume, inside, controlPath
			return found, true
		}
	}
	all := containers(w.Pod)
	if told != nil {
		all = []corev1.Container{*told}
	}
	for _, c := range all {
		address := strings.TrimPrefix(flagOf(c, addressFlag), "unix://")
		if volume, inside, ok := within(c, address); ok {
			found.Volume, found.Path = volume, inside
			return found, true
		}
	}
	return found, false
}

// flagOf returns the value of a container's flag, with the container's variables expanded, or "".
func flagOf(c corev1.Container, name string) string {
	words := slices.Concat(c.Command, c.Args)
	for i, word := range words {
		value, found := strings.CutPrefix(strings.TrimLeft(word, "-"), name+"=")
		if !found && strings.TrimLeft(word, "-") == name && i+1 < len(words) {
			value, found = words[i+1], true
		}
		if !found || !strings.HasPrefix(word, "-") {
			continue
		}
		for _, variable := range c.Env {
			value = strings.ReplaceAll(value, "$("+variable.Name+")", variable.Value)
		}
		return value
	}
	return ""
}

// within returns the volume that contains a file of a container, and its path there.
func within(c corev1.Container, file string) (volume, inside string, ok bool) {
	if !path.IsAbs(file) {
		return "", "", false
	}
	longest := -1
	for _, mount := range c.VolumeMounts {
		at := strings.TrimSuffix(path.Clean(mount.MountPath), "/")
		rest, below := strings.CutPrefix(path.Clean(file), at+"/")
		if below && len(at) > longest {
			longest = len(at)
			volume, inside, ok = mount.Name, path.Join(mount.SubPath, rest), true
		}
	}
	return volume, inside, ok
}
