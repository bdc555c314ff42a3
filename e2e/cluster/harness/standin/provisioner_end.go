// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Kill kills the processes of the provisioner, which its pods restart.
func (p *Provisioner) Kill(ctx context.Context) {
	const kill = `for p in /proc/[0-9]*; do read -r name < $p/comm && [ "$name" = csi-provisioner ] && kill -9 ${p#/proc/} && echo killed; done; true`
	p.s.Need(p.connect(ctx), "reaching the provisioner's proxy")
	for pod := range p.pods {
		said, err := pods.ExecIn(ctx, p.s, p.namespace, pod, workload.ProxyContainer, "/bin/sh", "-c", kill)
		p.s.Need(err, "killing the provisioner")
		if said == "" {
			suite.CouldNotTell("no process csi-provisioner runs in pod %s", pod)
		}
	}
}

// Depose deletes the provisioner's leading pod, which has a call held by a rule. Another of the pods then takes the lead.
func (p *Provisioner) Depose(ctx context.Context, requirement string) {
	leads := p.MustAskAlone(ctx, requirement)
	if len(leads) == 0 {
		suite.CouldNotTell("no pod of the provisioner has a call in flight")
	}
	for _, name := range leads {
		p.remove(ctx, name)
	}
}

// MustAskAlone returns the pods of the provisioner with a call that a rule holds. If another pod has called the driver too,
// that is a fault of the platform, and a warning by the requirement.
func (p *Provisioner) MustAskAlone(ctx context.Context, requirement string) (holding []string) {
	var asked []string
	for name, pod := range p.pods {
		rules, err := pod.Rules(ctx)
		p.s.Need(err, "asking which pod of the provisioner leads")
		calls, err := pod.All(ctx)
		p.s.Need(err, "reading the calls of pod %s", name)
		holds := slices.ContainsFunc(rules, func(r trace.RuleUse) bool { return r.Delay > 0 && r.Used > 0 })
		if holds {
			holding = append(holding, name)
		}
		if holds || predicate.Called(calls, "CreateVolume") == nil || predicate.Called(calls, "DeleteVolume") == nil {
			asked = append(asked, name)
		}
	}
	if len(holding) > 0 {
		slices.Sort(asked)
		p.s.PlatformCheck(ctx, requirement, predicate.OneLeads(asked))
	}
	return holding
}

// remove deletes a pod of the provisioner, and keeps its calls.
func (p *Provisioner) remove(ctx context.Context, name string) {
	calls, err := p.pods[name].All(ctx)
	p.s.Need(err, "reading the calls of pod %s", name)
	p.gone = append(p.gone, calls...)
	pod := &corev1.Pod{}
	pod.Name, pod.Namespace = name, p.namespace
	p.s.Need(p.s.Delete(ctx, pod), "deleting pod %s", name)
	delete(p.pods, name)
}

// retire removes the stand-in's remaining volumes, with the provisioner's help, and then the provisioner's rights.
func (p *Provisioner) retire(ctx context.Context) error {
	s := p.s
	at := metav1.ListOptions{}
	problems := []error{p.answerEnd(ctx), harness.RemovePods(ctx, s), s.Kube.CoreV1().PersistentVolumeClaims(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, at)}
	made, err := harness.VolumesOf(ctx, s, p.driver.Driver.Name)
	problems = append(problems, err, harness.RetainNone(ctx, s, made))
	err = s.Within(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error {
		left, err := harness.VolumesOf(ctx, s, p.driver.Driver.Name)
		if err == nil && len(left) > 0 {
			err = fmt.Errorf("%d volumes of the stand-in are still there, the first is %s in phase %s", len(left), left[0].Name, left[0].Status.Phase)
		}
		return err
	})
	return errors.Join(append(problems, err, forbid(ctx, s, p.namespace))...)
}

// answerEnd removes rules of the case that delay calls or answer DeleteVolume, so that volumes can be deleted.
func (p *Provisioner) answerEnd(ctx context.Context) error {
	if len(p.pods) == 0 {
		return nil
	}
	for _, rule := range slices.Clone(p.rules) {
		if rule.Method == "DeleteVolume" || rule.Delay > 0 {
			if err := p.end(ctx, rule.ID); err != nil {
				return err
			}
		}
	}
	p.sent++
	p.rules = append(p.rules, trace.Rule{ID: fmt.Sprintf("case-%d", p.sent), Method: "DeleteVolume", Answer: json.RawMessage(`{}`)})
	return p.connect(ctx)
}
