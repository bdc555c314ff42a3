// SPDX-License-Identifier: Apache-2.0

// Package admission makes the API server refuse a case's own objects for a while.
package admission

import (
	"context"
	"errors"
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Refusal is a policy that stays in force until End or the end of the case.
type Refusal struct {
	s       *harness.Scenario
	policy  *admissionv1.ValidatingAdmissionPolicy
	binding *admissionv1.ValidatingAdmissionPolicyBinding
	// refused is a PersistentVolume that the policy refuses.
	refused *workload.Volume
}

// RefuseVolumes makes the API server refuse new PersistentVolumes of the same driver as the given one, and no others. The
// given one is never created. It returns once the policy is in force.
func RefuseVolumes(ctx context.Context, s *harness.Scenario, like *workload.Volume) *Refusal {
	name := s.Name("refusal")
	r := &Refusal{s: s, policy: &admissionv1.ValidatingAdmissionPolicy{}, binding: &admissionv1.ValidatingAdmissionPolicyBinding{}, refused: like}
	r.policy.Name, r.binding.Name = name, name
	r.policy.Spec = admissionv1.ValidatingAdmissionPolicySpec{
		FailurePolicy: ptr.To(admissionv1.Ignore),
		MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{
			RuleWithOperations: admissionv1.RuleWithOperations{
				Operations: []admissionv1.OperationType{admissionv1.Create},
				Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"persistentvolumes"}},
			},
		}}},
		MatchConditions: []admissionv1.MatchCondition{{
			Name: "driver", Expression: fmt.Sprintf("object.spec.?csi.?driver.orValue('') == '%s'", like.Object().Spec.CSI.Driver),
		}},
		Validations: []admissionv1.Validation{{Expression: "false", Message: "refused by " + name}},
	}
	r.binding.Spec = admissionv1.ValidatingAdmissionPolicyBindingSpec{
		PolicyName: name, ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny},
	}
	s.OnCleanUp(r.remove)
	if err := errors.Join(s.Resources().Create(ctx, r.policy), s.Resources().Create(ctx, r.binding)); apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not have the API server refuse objects: %v", err)
	} else {
		s.Need(err, "having the API server refuse PersistentVolumes")
	}
	s.Need(r.await(ctx, true), "having the API server refuse PersistentVolumes")
	return r
}

// End makes the API server accept such PersistentVolumes again.
func (r *Refusal) End(ctx context.Context) {
	r.s.Need(r.remove(ctx), "no longer refusing PersistentVolumes")
	r.s.Need(r.await(ctx, false), "no longer refusing PersistentVolumes")
}

func (r *Refusal) remove(ctx context.Context) error {
	return errors.Join(r.s.Delete(ctx, r.binding), r.s.Delete(ctx, r.policy))
}

// await waits until the API server applies the policy, or has stopped applying it.
func (r *Refusal) await(ctx context.Context, refused bool) error {
	return r.s.Within(ctx, r.s.Target.Timeouts.Notice, func(ctx context.Context) error {
		err := claims.TryVolume(ctx, r.s, r.refused)
		if is := err != nil && strings.Contains(err.Error(), r.policy.Name); is != refused {
			return fmt.Errorf("want a PersistentVolume refused: %v, found: %w", refused, errors.Join(errors.New("the API server's answer"), err))
		}
		return nil
	})
}
