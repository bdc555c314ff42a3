// SPDX-License-Identifier: Apache-2.0

// Package nodeplugin finds the driver's pods on nodes, calls the driver there, and restarts it.
package nodeplugin

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Plugin is the part of the driver that runs on one node.
type Plugin struct {
	node topology.Node
	// Pods are the pods that serve the driver there and register it with the kubelet; a DaemonSet recreates each of them.
	Pods []corev1.Pod
	// kubeletDir is the kubelet's directory on the node.
	kubeletDir string
}

// On returns the driver's plugin on the node; the case is skipped if it is not known, or if no DaemonSet would recreate it.
func On(ctx context.Context, s *harness.Scenario, at topology.Node) *Plugin {
	there, err := pods.On(ctx, s, at)
	s.Need(err, "looking for the node plugin")
	plugin, err := Find(there, s.Target.Node)
	if err != nil {
		suite.Skip(suite.ByEnvironment, "the driver cannot be restarted on node %s: %v", at.Name, err)
	}
	plugin.node = at
	return plugin
}

// KubeletDir returns the kubelet's directory on the node: the directory of the driver's socket, or the usual one if the
// socket is not known.
func KubeletDir(ctx context.Context, s *harness.Scenario, at topology.Node) string {
	const usual = "/var/lib/kubelet"
	if s.Target.Node == nil {
		return usual
	}
	there, err := pods.On(ctx, s, at)
	s.Need(err, "looking for the node plugin")
	plugin, err := Find(there, s.Target.Node)
	if err != nil {
		return usual
	}
	return plugin.kubeletDir
}

// Find returns the driver's pods among the pods of one node: the pod with the driver's socket, and every other pod that
// mounts the driver's own directory, as a registrar in a separate pod must. The kubelet's plugins_registry does not count,
// because the registrars of all drivers mount it.
func Find(all []corev1.Pod, at *harness.PodSocket) (*Plugin, error) {
	selector, err := labels.Parse(at.Selector)
	if err != nil {
		return nil, fmt.Errorf("reading the selector: %w", err)
	}
	serving := slices.IndexFunc(all, func(pod corev1.Pod) bool {
		return pod.Namespace == at.Namespace && selector.Matches(labels.Set(pod.Labels)) && pods.Runs(pod)
	})
	if serving < 0 {
		return nil, fmt.Errorf("no pod runs there in namespace %s with labels %s", at.Namespace, at.Selector)
	}
	hostPath := hostPaths(all[serving])[at.Volume]
	if hostPath == "" {
		return nil, fmt.Errorf("volume %s of pod %s is not a hostPath volume", at.Volume, all[serving].Name)
	}
	kubeletDir, own, err := pluginDirs(path.Join(hostPath, path.Dir(at.Path)))
	if err != nil {
		return nil, err
	}
	found := &Plugin{kubeletDir: kubeletDir}
	for i, pod := range all {
		if i != serving && !(pods.Runs(pod) && holds(pod, own)) {
			continue
		}
		if owner := metav1.GetControllerOf(&pod); owner == nil || owner.Kind != "DaemonSet" {
			return nil, fmt.Errorf("pod %s/%s is not controlled by a DaemonSet", pod.Namespace, pod.Name)
		}
		found.Pods = append(found.Pods, pod)
	}
	return found, nil
}

// pluginDirs splits the directory of a driver's socket on the host into the kubelet's directory and the driver's own
// directory below it, by convention plugins/NAME; own is empty if drivers share a directory.
func pluginDirs(socketDir string) (kubeletDir, own string, err error) {
	const name = "/kubelet/"
	at := strings.Index(socketDir, name)
	if at < 0 {
		return "", "", fmt.Errorf("the socket's directory %s is not below the kubelet's", socketDir)
	}
	kubeletDir = socketDir[:at+len(name)-1]
	below := strings.Split(socketDir[at+len(name):], "/")
	if len(below) < 2 {
		return kubeletDir, "", nil
	}
	return kubeletDir, path.Join(kubeletDir, below[0], below[1]), nil
}

// hostPaths returns the paths of the pod's hostPath volumes by their names.
func hostPaths(pod corev1.Pod) map[string]string {
	found := map[string]string{}
	for _, volume := range pod.Spec.Volumes {
		if volume.HostPath != nil {
			found[volume.Name] = path.Clean(volume.HostPath.Path)
		}
	}
	return found
}

// holds reports whether the directory, or one below it, is a volume of the pod.
func holds(pod corev1.Pod, directory string) bool {
	if directory == "" {
		return false
	}
	for _, hostPath := range hostPaths(pod) {
		if hostPath == directory || strings.HasPrefix(hostPath, directory+"/") {
			return true
		}
	}
	return false
}
