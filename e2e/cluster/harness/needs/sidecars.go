// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"context"
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Sidecars of Kubernetes that use a driver's capabilities, by the end of their names.
const (
	Provisioner = "provisioner"
	Snapshotter = "snapshotter"
	resizer     = "resizer"
)

// Recorded declares that the case looks at the calls of this sidecar to the driver: it must run in a pod of the
// driver's controllers, behind the recording proxy.
func Recorded(word string) []harness.Need {
	beside := harness.Need{By: suite.ByEnvironment, Missing: func(ctx context.Context, s *harness.Scenario) string {
		controllers := harness.MustFindControllers(ctx, s)
		return lacking(slices.ContainsFunc(controllers, func(pod corev1.Pod) bool { return hasSidecar(pod, word) }),
			"looks at what csi-%s asks the driver, and it runs in no pod of the driver's controller, where calls are recorded", word)
	}}
	return append(Recorder(), beside)
}

// sidecar returns the need for a sidecar: a driver may claim a capability and be deployed without the sidecar that uses it.
// The sidecar may run in any pod, but in the namespace of the driver's controllers.
func sidecar(word string) harness.Need {
	return harness.Need{By: suite.ByEnvironment, Missing: func(ctx context.Context, s *harness.Scenario) string { return lacksSidecar(ctx, s, word) }}
}

func lacksSidecar(ctx context.Context, s *harness.Scenario, word string) string {
	harness.MustFindControllers(ctx, s) // it usually runs in their pods, which may be missing while they are replaced
	namespace := s.Target.Controller.Namespace
	var pods corev1.PodList
	s.Need(s.Target.Client.Resources(namespace).List(ctx, &pods), "looking for the csi-%s in namespace %s", word, namespace)
	return lacking(slices.ContainsFunc(pods.Items, func(pod corev1.Pod) bool { return hasSidecar(pod, word) }),
		"needs a csi-%s, but no container in the driver's namespace %s has this name, or an image with this name", word, namespace)
}

// hasSidecar reports whether a container of the pod is the sidecar, by its name or its image's name.
func hasSidecar(pod corev1.Pod, word string) bool {
	sidecar := regexp.MustCompile(`(^|[/-])` + word + `([:@-]|$)`)
	return slices.ContainsFunc(pod.Spec.Containers, func(container corev1.Container) bool {
		return sidecar.MatchString(container.Name) || sidecar.MatchString(container.Image)
	})
}
