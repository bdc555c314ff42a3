package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/judge"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Kill kills the processes of the provisioner, which its pods start again.
func (p *Provisioner) Kill(ctx context.Context) {
	const kill = `for p in /proc/[0-9]*; do read -r name < $p/comm && [ "$name" = csi-provisioner ] && kill -9 ${p#/proc/} && echo killed; done; true`
	p.s.Need(p.connect(ctx), "reaching the provisioner's proxy")
	for pod := range p.pods {
		said, err := p.s.execIn(ctx, p.namespace, pod, workload.ProxyContainer, "/bin/sh", "-c", kill)
		p.s.Need(err, "killing the provisioner")
		if said == "" {
			judge.CouldNotTell("no process csi-provisioner runs in pod %s", pod)
		}
	}
}

// retire removes what is there of the stand-in's volumes, with the provisioner's help, and then the provisioner's rights.
func (p *Provisioner) retire(ctx context.Context) error {
	s := p.s
	at := metav1.ListOptions{}
	problems := []error{p.answerEnd(ctx), s.removePods(ctx), s.kube.CoreV1().PersistentVolumeClaims(s.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, at)}
	err := s.poll(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error {
		left, err := s.volumesOf(ctx, p.driver.Driver.Name)
		if err == nil && len(left) > 0 {
			err = fmt.Errorf("%d volumes of the stand-in are still there, the first is %s in phase %s", len(left), left[0].Name, left[0].Status.Phase)
		}
		return err
	})
	role, binding := &rbacv1.ClusterRole{}, &rbacv1.ClusterRoleBinding{}
	role.Name, binding.Name = p.namespace, p.namespace
	return errors.Join(append(problems, err, s.delete(ctx, binding), s.delete(ctx, role))...)
}

// answerEnd takes back what the case had answered otherwise, so that volumes can be deleted.
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
