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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Sidecars runs two pods of a sidecar, one of which leads, of the same release as the sidecar of the driver under test.
// Their driver is a stand-in that answers UNAVAILABLE, so that the leader repeats its call.
type Sidecars struct {
	s         *harness.Scenario
	driver    *StandIn
	namespace string
}

// Ids of the rules for the calls with which a sidecar acts, and for the first call of each sidecar.
const (
	acts        = "acts"
	asksForName = "GetPluginInfo"
)

// StartSidecars starts the sidecar with this name, such as csi-attacher, which acts by calling this method. It runs until
// the case ends.
func (d *StandIn) StartSidecars(ctx context.Context, name, method string) *Sidecars {
	s := d.s
	s.Injects = true
	image, beside := imageOf(ctx, s, name)
	p := &Sidecars{s: s, driver: d, namespace: s.CreateNamespace(ctx)}
	s.OnCleanUp(p.retire)
	permit(ctx, s, p.namespace, workload.SidecarName, workload.SidecarRole())
	rules := append(d.answersToSidecars(), ruleText(trace.Rule{ID: acts, Method: method, Code: "UNAVAILABLE", Message: "said by csi-topo"}))
	deployment := workload.SidecarOf(image, s.Target.WorkloadImage, beside, rules)
	deployment.Namespace = p.namespace
	s.Need(s.Resources().Create(ctx, deployment), "creating two pods of %s", name)
	s.Until(ctx, s.Target.Timeouts.Restart, "pods of "+name+" running", s.Look(deployment, func() error { return allReady(deployment) }))
	return p
}

// answersToSidecars returns the rules for the stand-in's answers.
func (d *StandIn) answersToSidecars() []string {
	var rules []string
	for method, answer := range map[string]string{
		asksForName:             fmt.Sprintf(`{"name":%q,"vendor_version":"1"}`, d.Driver.Name),
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

// imageOf returns the image of the sidecar in the driver's namespace, and a pod that runs it, preferably one of the
// driver's controllers.
func imageOf(ctx context.Context, s *harness.Scenario, name string) (string, *corev1.Pod) {
	image := regexp.MustCompile(`(^|/)` + name + `(:|@|$)`)
	controllers := harness.MustFindControllers(ctx, s)
	all, err := s.Target.PodsAt(ctx, &harness.PodSocket{Namespace: s.Target.Controller.Namespace})
	s.Need(err, "looking for a %s", name)
	for _, pod := range slices.Concat(controllers, all) {
		for _, container := range pod.Spec.Containers {
			if image.MatchString(container.Image) {
				return container.Image, &pod
			}
		}
	}
	suite.Skip(suite.ByEnvironment, "no container in the driver's namespace has an image called %s", name)
	return "", nil
}

// MustActAlone waits until both pods have asked the driver for its name, and a pod that is not in gone has acted often, and
// returns its name. It warns by the requirement if no such pod acts, or if another pod has acted too.
func (p *Sidecars) MustActAlone(ctx context.Context, requirement string, gone ...string) string {
	const up, often = 2, 4
	var asked []string
	var first string
	if !p.s.PlatformMust(ctx, p.s.Target.Timeouts.Restart, requirement, "one of two pods acts", func(ctx context.Context) error {
		asked, first = nil, ""
		used, err := p.used(ctx, gone)
		if err != nil {
			return err
		}
		if len(used) < up {
			return fmt.Errorf("%d pods of the sidecar have asked the driver for its name, want %d", len(used), up)
		}
		for pod, calls := range used {
			if calls > 0 {
				asked = append(asked, pod)
			}
			if calls >= often {
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

// used returns how often each running pod has acted, by name, without pods that are in gone or have not asked the driver
// for its name. The calls of a pod that was restarted do not count: it has given up the lead, as happens on a busy machine.
func (p *Sidecars) used(ctx context.Context, gone []string) (map[string]int, error) {
	pods, err := p.s.Target.PodsAt(ctx, &harness.PodSocket{Namespace: p.namespace, Selector: "app=" + workload.SidecarName})
	if err != nil {
		return nil, err
	}
	used := map[string]int{}
	for _, pod := range pods {
		if pod.Status.Phase != corev1.PodRunning || pod.DeletionTimestamp != nil || slices.Contains(gone, pod.Name) {
			continue
		}
		rules, err := p.s.Lines.Recording(dial.Socket{Namespace: pod.Namespace, Pod: pod.Name, Container: workload.ProxyContainer, Path: "control.sock"}).Rules(ctx)
		if err != nil {
			return nil, err
		}
		times := map[string]int{}
		for _, rule := range rules {
			times[rule.ID] = rule.Used
		}
		switch {
		case times[asksForName] == 0:
		case hasRestarted(pod):
			used[pod.Name] = 0
		default:
			used[pod.Name] = times[acts]
		}
	}
	return used, nil
}

func hasRestarted(pod corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool { return c.RestartCount > 0 })
}

// Depose deletes the pod at once, so that its process cannot release the Lease.
func (p *Sidecars) Depose(ctx context.Context, name string) {
	pod := &corev1.Pod{}
	pod.Name, pod.Namespace = name, p.namespace
	p.s.Need(p.s.Delete(ctx, pod), "deleting pod %s", name)
}

// retire removes the stand-in's attachments and volumes, with their finalizers, and then the sidecars' rights.
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
	return errors.Join(err, gone, forbid(ctx, s, p.namespace))
}

// left returns the stand-in's attachments and volumes.
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
