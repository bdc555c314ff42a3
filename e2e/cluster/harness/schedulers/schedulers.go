// SPDX-License-Identifier: Apache-2.0

// Package schedulers runs a separate kube-scheduler for a case.
package schedulers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Scheduler is a case's own kube-scheduler, of the same release as the cluster's. It places the pods that name it, with a
// configuration that the cluster's scheduler does not have, and affects no other pods.
type Scheduler struct {
	s *harness.Scenario
	// Name is the scheduler name for pods.
	Name string
	pod  *corev1.Pod
}

// Scheduling is the configuration of a scheduler.
type Scheduling struct {
	// Gates are feature gates, such as Feature=true.
	Gates []string
	// VolumeBinding are arguments of the plugin VolumeBinding.
	VolumeBinding map[string]any
	// ScoredBy is the only plugin that compares nodes; empty for the default ones.
	ScoredBy string
}

// Start starts a scheduler, and waits until it runs. It runs until the case ends.
func Start(ctx context.Context, s *harness.Scenario, how Scheduling) *Scheduler {
	image, node := image(ctx, s)
	namespace := s.CreateNamespace(ctx)
	account, configuration := &corev1.ServiceAccount{}, &corev1.ConfigMap{}
	account.Name, account.Namespace = workload.SchedulerName, namespace
	configuration.Name, configuration.Namespace = workload.SchedulerName, namespace
	configuration.Data = map[string]string{workload.SchedulerConfiguration: how.configuration(namespace)}
	s.Need(errors.Join(s.Resources().Create(ctx, account), s.Resources().Create(ctx, configuration)), "configuring a scheduler")
	permit(ctx, s, account)
	pod := workload.SchedulerOf(image, node, how.Gates...)
	pod.Namespace = namespace
	s.Need(s.Resources().Create(ctx, pod), "creating a scheduler")
	s.Until(ctx, s.Target.Timeouts.Restart, "the case's own scheduler running", s.Look(pod, func() error { return predicate.PodRuns(pod) }))
	return &Scheduler{s: s, Name: namespace, pod: pod}
}

// configuration returns a KubeSchedulerConfiguration with one profile, in JSON, which is YAML.
func (how Scheduling) configuration(name string) string {
	const version = "kubescheduler.config.k8s.io/v1"
	profile := map[string]any{"schedulerName": name}
	if how.VolumeBinding != nil {
		arguments := map[string]any{"apiVersion": version, "kind": "VolumeBindingArgs"}
		for key, value := range how.VolumeBinding {
			arguments[key] = value
		}
		profile["pluginConfig"] = []any{map[string]any{"name": "VolumeBinding", "args": arguments}}
	}
	if how.ScoredBy != "" {
		profile["plugins"] = map[string]any{"score": map[string]any{
			"disabled": []any{map[string]any{"name": "*"}},
			"enabled":  []any{map[string]any{"name": how.ScoredBy, "weight": 1}},
		}}
	}
	text, _ := json.Marshal(map[string]any{ // it contains only maps, strings and numbers
		"apiVersion": version, "kind": "KubeSchedulerConfiguration",
		"leaderElection": map[string]any{"leaderElect": false},
		"profiles":       []any{profile},
	})
	return string(text)
}

// image returns the image of the cluster's scheduler, and a node that has it. The case is skipped if the scheduler does not
// run in a pod.
func image(ctx context.Context, s *harness.Scenario) (image, node string) {
	pods, err := s.Target.PodsAt(ctx, &harness.PodSocket{Namespace: metav1.NamespaceSystem, Selector: "component=kube-scheduler"})
	s.Need(err, "looking for the cluster's scheduler")
	if len(pods) == 0 {
		suite.Skip(suite.ByEnvironment, "the cluster's scheduler runs in no pod, so there is no image for the case's own scheduler")
	}
	return pods[0].Spec.Containers[0].Image, pods[0].Spec.NodeName
}

// permit gives the account the rights of the cluster's scheduler.
func permit(ctx context.Context, s *harness.Scenario, account *corev1.ServiceAccount) {
	for _, role := range []string{"kube-scheduler", "volume-scheduler"} {
		binding := &rbacv1.ClusterRoleBinding{}
		binding.Name = account.Namespace + "-" + role
		binding.RoleRef = rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "system:" + role}
		binding.Subjects = []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: account.Name, Namespace: account.Namespace}}
		s.OnCleanUp(func(ctx context.Context) error { return s.Delete(ctx, binding) })
		err := s.Resources().Create(ctx, binding)
		if apierrors.IsForbidden(err) {
			suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not give a scheduler its rights: %v", err)
		}
		s.Need(err, "giving a scheduler its rights")
	}
}

// MustFail waits for the scheduler to report that it failed to schedule the pod, with an error that contains says. If that
// takes much longer than the configured wait, it is a warning by the requirement, and the result is false.
func (c *Scheduler) MustFail(ctx context.Context, pod *corev1.Pod, requirement, says string) bool {
	return c.s.PlatformMust(ctx, c.s.Target.Timeouts.Schedule, requirement, "pod "+pod.Name+" given up for now", c.s.Look(pod, func() error {
		return predicate.SchedulingFailed(pod, says)
	}))
}

// Crash returns the scheduler's last message if its process has ended by itself; otherwise it is empty.
func (c *Scheduler) Crash(ctx context.Context) string {
	c.s.Need(c.s.Reread(ctx, c.pod), "looking at the scheduler")
	for _, status := range c.pod.Status.ContainerStatuses {
		for _, state := range []corev1.ContainerState{status.State, status.LastTerminationState} {
			if ended := state.Terminated; ended != nil {
				return fmt.Sprintf("%s, exit status %d: %s", ended.Reason, ended.ExitCode, ended.Message)
			}
		}
	}
	return ""
}
