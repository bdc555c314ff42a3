package harness

import (
	"context"
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/judge"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

var resizer = regexp.MustCompile(`(^|[/-])resizer([:@-]|$)`)

// meetResizer skips a case for which volumes have to grow where nobody would ask the driver to: a driver may claim expansion
// and be deployed without a csi-resizer. Which pod that runs in is open, but its namespace is the driver's.
func (s *Scenario) meetResizer(ctx context.Context) {
	s.mustFindControllers(ctx) // it mostly runs beside them, and no pod is there while they are replaced
	namespace := s.Target.Controller.Namespace
	var pods corev1.PodList
	s.Need(s.Target.Client.Resources(namespace).List(ctx, &pods), "looking for the csi-resizer in namespace %s", namespace)
	if !slices.ContainsFunc(pods.Items, resizes) {
		judge.Skip(verdict.ByEnvironment, "needs a csi-resizer, and no container in the driver's namespace %s is called so, or has an image that is", namespace)
	}
}

// resizes reports whether a container of the pod is a csi-resizer, by its name or that of its image.
func resizes(pod corev1.Pod) bool {
	return slices.ContainsFunc(pod.Spec.Containers, func(container corev1.Container) bool {
		return resizer.MatchString(container.Name) || resizer.MatchString(container.Image)
	})
}
