// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Sidecars are two pods of a sidecar of the case's own, of the release that runs beside the driver under test. One of them is
// to lead. The driver that they serve is a stand-in, which is UNAVAILABLE to the calls by which they act, so that whoever acts
// repeats them.
type Sidecars struct {
	s         *harness.Scenario
	driver    *StandIn
	namespace string
}

// acts is the rule of the calls by which a sidecar acts.
const acts = "acts"

// StartSidecars starts the sidecar of this name, such as csi-attacher, which acts by this method. It runs until the case ends.
func (d *StandIn) StartSidecars(ctx context.Context, name, method string, flags ...string) *Sidecars {
	s := d.s
	s.Injects = true
	image, beside := imageOf(ctx, s, name)
	p := &Sidecars{s: s, driver: d, namespace: s.CreateNamespace(ctx)}
	s.OnCleanUp(p.retire)
	p.permit(ctx)
	rules := append(d.firstRulesOfSidecars(), ruleText(trace.Rule{ID: acts, Method: method, Code: "UNAVAILABLE", Message: "said by csi-topo"}))
	deployment := workload.SidecarOf(image, s.Target.WorkloadImage, beside, flags, rules)
	deployment.Namespace = p.namespace
	s.Need(s.Resources().Create(ctx, deployment), "creating two pods of %s", name)
	s.Until(ctx, s.Target.Timeouts.Restart, "pods of "+name+" running", s.Look(deployment, func() error { return provisionerRuns(deployment) }))
	return p
}

// firstRulesOfSidecars are what the stand-in answers.
func (d *StandIn) firstRulesOfSidecars() []string {
	var rules []string
	for method, answer := range map[string]string{
		"GetPluginInfo":         fmt.Sprintf(`{"name":%q,"vendor_version":"1"}`, d.Driver.Name),
		"Probe":                 `{"ready":true}`,
		"GetPluginCapabilities": `{"capabilities":[{"service":{"type":"CONTROLLER_SERVICE"}},{"volume_expansion":{"type":"ONLINE"}}]}`,
		"ControllerGetCapabilities": `{"capabilities":[{"rpc":{"type":"PUBLISH_UNPUBLISH_VOLUME"}},{"rpc":{"type":"EXPAND_VOLUME"}},
			{"rpc":{"type":"CREATE_DELETE_SNAPSHOT"}}]}`,
		"ControllerUnpublishVolume": `{}`,
		"DeleteSnapshot":            `{}`,
	} {
		rules = append(rules, ruleText(trace.Rule{ID: method, Method: method, Answer: json.RawMessage(answer)}))
	}
	slices.Sort(rules)
	return rules
}

// imageOf is that of the sidecar in the driver's namespace, and a pod that runs it.
func imageOf(ctx context.Context, s *harness.Scenario, name string) (string, *corev1.Pod) {
	image := regexp.MustCompile(`(^|/)` + name + `(:|@|$)`)
	harness.MustFindControllers(ctx, s) // it mostly runs beside them, and no pod is there while they are replaced
	pods, err := s.Target.PodsAt(ctx, &harness.PodSocket{Namespace: s.Target.Controller.Namespace})
	s.Need(err, "looking for a %s", name)
	for _, pod := range pods {
		for _, container := range pod.Spec.Containers {
			if image.MatchString(container.Image) {
				return container.Image, &pod
			}
		}
	}
	suite.Skip(suite.ByEnvironment, "no container in the driver's namespace has an image called %s", name)
	return "", nil
}

// MustActAlone waits until one of the pods has acted, and again, and returns its name. Any other that acts by then is a mistake
// of the platform, and a warning by the requirement; so is that none acts, but for those that are gone.
func (p *Sidecars) MustActAlone(ctx context.Context, requirement string, gone ...string) string {
	const again = 2
	var asked []string
	var first string
	if !p.s.PlatformMust(ctx, p.s.Target.Timeouts.Bind, requirement, "one of two pods acts", func(ctx context.Context) error {
		used, err := p.used(ctx)
		if err != nil {
			return err
		}
		asked, first = nil, ""
		for pod, calls := range used {
			if slices.Contains(gone, pod) {
				continue
			}
			if calls > 0 {
				asked = append(asked, pod)
			}
			if calls >= again {
				first = pod
			}
		}
		return predicate.ActsAgain(first)
	}) {
		return ""
	}
	slices.Sort(asked)
	suite.Evidence(ctx, "pods that act", asked)
	p.s.PlatformCheck(ctx, requirement, predicate.OneLeads(asked))
	return first
}

// used is how many calls each pod has acted by.
func (p *Sidecars) used(ctx context.Context) (map[string]int, error) {
	pods, err := p.s.Target.PodsAt(ctx, &harness.PodSocket{Namespace: p.namespace, Selector: "app=" + workload.SidecarName})
	if err != nil {
		return nil, err
	}
	used := map[string]int{}
	for _, pod := range pods {
		if pod.Status.Phase != corev1.PodRunning || pod.DeletionTimestamp != nil {
			continue
		}
		rules, err := p.s.Lines.Recording(dial.Socket{Namespace: pod.Namespace, Pod: pod.Name, Container: workload.ProxyContainer, Path: "control.sock"}).Rules(ctx)
		if err != nil {
			return nil, err
		}
		for _, rule := range rules {
			if rule.ID == acts {
				used[pod.Name] = rule.Used
			}
		}
	}
	return used, nil
}

// Depose deletes a pod, whose process has no time to give anything back.
func (p *Sidecars) Depose(ctx context.Context, name string) {
	pod := &corev1.Pod{}
	pod.Name, pod.Namespace = name, p.namespace
	p.s.Need(p.s.Delete(ctx, pod), "deleting pod %s", name)
}

// permit lets the sidecars do their work.
func (p *Sidecars) permit(ctx context.Context) {
	s := p.s
	account := &corev1.ServiceAccount{}
	account.Name, account.Namespace = workload.SidecarName, p.namespace
	s.Need(s.Resources().Create(ctx, account), "creating a service account")
	role, binding := workload.SidecarRole(), &rbacv1.ClusterRoleBinding{}
	role.Name, binding.Name = p.namespace, p.namespace
	binding.RoleRef = rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name}
	binding.Subjects = []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: account.Name, Namespace: account.Namespace}}
	if err := errors.Join(s.Resources().Create(ctx, role), s.Resources().Create(ctx, binding)); apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not give a sidecar its rights: %v", err)
	} else {
		s.Need(err, "giving the sidecars their rights")
	}
}

// retire ends with the stand-in's attachments and volumes gone, of which nothing is left to be done, and then the sidecars'
// rights.
func (p *Sidecars) retire(ctx context.Context) error {
	s := p.s
	err := s.Kube.CoreV1().PersistentVolumeClaims(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	gone := s.Within(ctx, s.Target.Timeouts.Detach, func(ctx context.Context) error {
		left, err := p.left(ctx)
		if err != nil || len(left) == 0 {
			return err
		}
		problems := []error{fmt.Errorf("%d attachments and volumes of the stand-in are still there", len(left))}
		for _, object := range left {
			if object.GetDeletionTimestamp() != nil {
				problems = append(problems, s.Patch(ctx, object, map[string]any{"metadata": map[string]any{"finalizers": []string{}}}))
			}
		}
		return errors.Join(problems...)
	})
	role, binding := &rbacv1.ClusterRole{}, &rbacv1.ClusterRoleBinding{}
	role.Name, binding.Name = p.namespace, p.namespace
	return errors.Join(err, gone, s.Delete(ctx, binding), s.Delete(ctx, role))
}

// left are the stand-in's attachments and volumes.
func (p *Sidecars) left(ctx context.Context) ([]k8s.Object, error) {
	var left []k8s.Object
	attachments, err := harness.AttachmentsOf(ctx, p.s, p.driver.Driver.Name)
	for i := range attachments {
		left = append(left, &attachments[i])
	}
	volumes, volumesErr := harness.VolumesOf(ctx, p.s, p.driver.Driver.Name)
	for i := range volumes {
		left = append(left, &volumes[i])
	}
	return left, errors.Join(err, volumesErr)
}
