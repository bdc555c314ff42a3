// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestAskedToModify(t *testing.T) {
	call := func(method, parameters string) trace.Call {
		return trace.Call{Method: "/csi.v1.Controller/" + method, Request: []byte(`{"mutable_parameters":` + parameters + `}`)}
	}
	wanted := map[string]string{"iops": "1"}
	modify := call("ControllerModifyVolume", `{"iops":"1"}`)
	wantVerdict(t, AskedToModify(nil, 1, wanted), differs)
	wantVerdict(t, AskedToModify(calls(call("CreateVolume", `{"iops":"1"}`)), 1, wanted), differs)
	wantVerdict(t, AskedToModify(calls(modify), 1, wanted), satisfied)
	wantVerdict(t, AskedToModify(calls(call("ControllerModifyVolume", `{"iops":"1","csi.storage.k8s.io/pv/name":"pv"}`)), 1, wanted), satisfied)
	wantVerdict(t, AskedToModify(calls(modify), 2, wanted), differs)
	wantVerdict(t, AskedToModify(calls(modify, call("ControllerModifyVolume", `{}`)), 1, wanted), forGood)
	wantVerdict(t, AskedToMake(calls(call("CreateVolume", `{"iops":"1"}`)), wanted), satisfied)
	wantVerdict(t, AskedToMake(calls(call("CreateVolume", `{}`)), wanted), forGood)
	wantVerdict(t, AskedToMake(calls(modify), wanted), differs)
}

func TestAttributes(t *testing.T) {
	of := func(current, made, target string, status corev1.PersistentVolumeClaimModifyVolumeStatus) (*corev1.PersistentVolumeClaim, *corev1.PersistentVolume) {
		claim, volume := &corev1.PersistentVolumeClaim{}, &corev1.PersistentVolume{}
		claim.Status.CurrentVolumeAttributesClassName, volume.Spec.VolumeAttributesClassName = &current, &made
		if status != "" {
			claim.Status.ModifyVolumeStatus = &corev1.ModifyVolumeStatus{TargetVolumeAttributesClassName: target, Status: status}
		}
		return claim, volume
	}
	const busy, infeasible = corev1.PersistentVolumeClaimModifyVolumeInProgress, corev1.PersistentVolumeClaimModifyVolumeInfeasible
	has := func(claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) error {
		return HasAttributes(claim, volume, "gold")
	}
	wantVerdict(t, has(of("gold", "gold", "", "")), satisfied)
	wantVerdict(t, has(of("silver", "gold", "", "")), differs, "silver")
	wantVerdict(t, has(of("gold", "silver", "", "")), differs, "silver")
	wantVerdict(t, has(of("gold", "gold", "gold", busy)), differs, "InProgress")
	wantVerdict(t, has(&corev1.PersistentVolumeClaim{}, &corev1.PersistentVolume{}), differs)

	refused := func(claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) error {
		return ModificationInfeasible(claim, volume, "gold", "silver")
	}
	wantVerdict(t, refused(of("silver", "silver", "gold", infeasible)), satisfied)
	wantVerdict(t, refused(of("silver", "silver", "gold", busy)), differs)
	wantVerdict(t, refused(of("silver", "silver", "", "")), differs)
	wantVerdict(t, refused(of("silver", "silver", "bronze", infeasible)), differs)
	wantVerdict(t, refused(of("gold", "silver", "gold", infeasible)), differs)
	wantVerdict(t, refused(of("silver", "gold", "gold", infeasible)), differs)
}
