// SPDX-License-Identifier: Apache-2.0

package modification

import (
	"context"
	"maps"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/secrets"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// modifyByClass creates a claim with a VolumeAttributesClass, and then names another: the driver gets the parameters with
// CreateVolume, and with ControllerModifyVolume, together with the secret that the StorageClass names for that call. It
// refuses a third class as infeasible: the claim shows this, keeps the second class, and then returns to it.
func modifyByClass() harness.Case {
	return harness.Case{
		ID:           "modify_by_class",
		Text:         "creates and modifies a volume as the VolumeAttributesClass of its claim says, and reports a class as infeasible if the driver refuses it",
		Requirements: []string{"K8S-H12", "K8S-H13", "K8S-L5"},
		Needs:        needs.All(needs.Recorder(), needs.Modification()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			secrets.Grant(ctx, s)
			secret := secrets.Create(ctx, s, "modify", "modify")
			parameters := map[string]string{
				"csi.storage.k8s.io/controller-modify-secret-name": secret.Name, "csi.storage.k8s.io/controller-modify-secret-namespace": secret.Namespace,
			}
			maps.Copy(parameters, s.AccessibleFrom(1))
			class := claims.CreateClass(ctx, s, workload.Immediate().Parameters(parameters))
			first, second, third := claims.CreateAttributes(ctx, s), claims.CreateAttributes(ctx, s), claims.CreateAttributes(ctx, s)
			m := modified{s: s}
			m.claim = claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).Attributes(first))
			m.volume = claims.MustBind(ctx, s, m.claim)

			created, err := recorder.Created(ctx, s, m.claim)
			s.Need(err, "reading the recorded calls")
			suite.Evidence(ctx, "CreateVolume", created)
			s.PlatformCheck(ctx, "K8S-H12", predicate.AskedToMake(created, s.Target.MutableParameters))
			m.mustHave(ctx, first)

			m.ask(ctx, second)
			m.mustHave(ctx, second)
			m.judgeCalls(ctx, 1)

			refused := recorder.InjectOn(ctx, s, m.volume, trace.Rule{Method: "ControllerModifyVolume", Code: "INVALID_ARGUMENT", Message: "said by csi-topo"})
			m.ask(ctx, third)
			m.must(ctx, "K8S-H13", "says that the class is infeasible", func() error {
				return predicate.ModificationInfeasible(m.claim, m.volume, third.Name, second.Name)
			})
			refused.End(ctx)
			m.ask(ctx, second)
			m.mustHave(ctx, second)
		},
	}
}

// modified is a claim of the case, and its volume.
type modified struct {
	s      *harness.Scenario
	claim  *corev1.PersistentVolumeClaim
	volume *corev1.PersistentVolume
}

// ask sets another class in the claim.
func (m modified) ask(ctx context.Context, class *storagev1.VolumeAttributesClass) {
	change := map[string]any{"spec": map[string]any{"volumeAttributesClassName": class.Name}}
	m.s.Need(m.s.Patch(ctx, m.claim, change), "naming another VolumeAttributesClass in claim %s", m.claim.Name)
}

// mustHave waits for the claim and the volume to show the class.
func (m modified) mustHave(ctx context.Context, class *storagev1.VolumeAttributesClass) {
	m.must(ctx, "K8S-H12", "has the attributes of the class", func() error { return predicate.HasAttributes(m.claim, m.volume, class.Name) })
}

func (m modified) must(ctx context.Context, requirement, what string, judge func() error) {
	m.s.PlatformMust(ctx, m.s.Target.Timeouts.Expand, requirement, "claim "+m.claim.Name+" "+what, m.s.Look(m.claim, func() error {
		if err := m.s.Reread(ctx, m.volume); err != nil {
			return err
		}
		return judge()
	}))
}

// judgeCalls warns unless the driver was called with the parameters at least the given number of times, with the secret for
// that call.
func (m modified) judgeCalls(ctx context.Context, least int) {
	all, err := recorder.CallsFor(ctx, m.s, m.volume)
	m.s.Need(err, "reading the recorded calls")
	calls := predicate.CallsOf(all, "ControllerModifyVolume")
	suite.Evidence(ctx, "ControllerModifyVolume", calls)
	m.s.PlatformCheck(ctx, "K8S-H12", predicate.AskedToModify(calls, least, m.s.Target.MutableParameters))
	for _, call := range calls {
		m.s.PlatformCheck(ctx, "K8S-L5", predicate.CarriesSecret(call, "modify"))
	}
}
