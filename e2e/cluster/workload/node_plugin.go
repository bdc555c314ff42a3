// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"path"

	corev1 "k8s.io/api/core/v1"
)

// NodePlugin builds a pod with a node plugin that consists of a recording proxy and directories.
type NodePlugin struct {
	object *corev1.Pod
	// kubeletDir is the kubelet's directory, and name is the prefix of the names of sockets there.
	kubeletDir, name string
}

// NodePluginOf returns a pod with this image, on the node with this host name and kubelet directory. Its socket has
// this name, and the names of its registrations' sockets begin with it.
func NodePluginOf(image, hostname, kubeletDir, name string) *NodePlugin {
	p := &NodePlugin{read("node-plugin", &corev1.Pod{}), kubeletDir, name}
	spec := &p.object.Spec
	spec.NodeSelector = Segment{corev1.LabelHostname: hostname}
	spec.Volumes[len(spec.Volumes)-1].HostPath.Path = kubeletDir
	for _, container := range []*corev1.Container{&spec.InitContainers[0], &spec.Containers[0]} {
		container.Image = image
		container.VolumeMounts[1].MountPath = kubeletDir
	}
	spec.InitContainers[0].Args = append(spec.InitContainers[0].Args, "--listen="+p.Socket())
	return p
}

// Answering gives the proxy these rules from the start.
func (p *NodePlugin) Answering(rules ...string) *NodePlugin {
	for _, rule := range rules {
		p.object.Spec.InitContainers[0].Args = append(p.object.Spec.InitContainers[0].Args, "--rule="+rule)
	}
	return p
}

// Registering adds a container of this name that registers the plugin with the kubelet, whose calls are answered by these
// rules. Its control socket has the container's name.
func (p *NodePlugin) Registering(name string, rules ...string) *NodePlugin {
	registrar := p.object.Spec.Containers[0].DeepCopy()
	registrar.Name = name
	registrar.Command = []string{"/csi-topo-sidecar", "proxy"}
	registrar.Args = []string{"--listen=" + path.Join(p.kubeletDir, "plugins_registry", p.name+"-"+name+".sock"), "--control=/csi/" + name + ".sock"}
	for _, rule := range rules {
		registrar.Args = append(registrar.Args, "--rule="+rule)
	}
	p.object.Spec.Containers = append(p.object.Spec.Containers, *registrar)
	return p
}

// Socket returns the path of the plugin's socket on the node.
func (p *NodePlugin) Socket() string { return path.Join(p.kubeletDir, "plugins", p.name+".sock") }

// Object returns the pod as built so far.
func (p *NodePlugin) Object() *corev1.Pod { return p.object }
