// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// AskedToMake requires calls of CreateVolume to have carried these mutable_parameters.
func AskedToMake(calls []trace.Call, parameters map[string]string) error {
	return askedToModify(CallsOf(calls, "CreateVolume"), 1, parameters)
}

// AskedToModify requires at least the given number of calls of ControllerModifyVolume, each with these
// mutable_parameters.
func AskedToModify(calls []trace.Call, least int, parameters map[string]string) error {
	return askedToModify(CallsOf(calls, "ControllerModifyVolume"), least, parameters)
}

func askedToModify(calls []trace.Call, least int, parameters map[string]string) error {
	if len(calls) < least {
		return mismatch("calls with mutable_parameters", fmt.Sprintf("%d or more", least), fmt.Sprint(len(calls)))
	}
	for _, call := range calls {
		var request struct {
			Parameters map[string]string `json:"mutable_parameters"`
		}
		if err := json.Unmarshal(call.Request, &request); err != nil {
			return fmt.Errorf("reading the parameters of %s: %w", call.Method, err)
		}
		// A sidecar may be configured to add the names of the claim and the volume.
		maps.DeleteFunc(request.Parameters, func(key, _ string) bool { return strings.HasPrefix(key, fromKubelet) })
		if !maps.Equal(request.Parameters, parameters) {
			return finalMismatch("mutable_parameters of "+path.Base(call.Method), text(parameters), text(request.Parameters))
		}
	}
	return nil
}

// HasAttributes requires the claim and the volume to show this VolumeAttributesClass, and no pending modification.
func HasAttributes(claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume, class string) error {
	found := attributesOf(claim, volume)
	if wanted := (attributes{class, class, "", ""}); found != wanted {
		return mismatch("VolumeAttributesClass of claim "+claim.Name, wanted.String(), found.String())
	}
	return nil
}

// ModificationInfeasible requires the claim to show that the class is infeasible, and the claim and the volume to have the
// other class.
func ModificationInfeasible(claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume, class, kept string) error {
	found := attributesOf(claim, volume)
	if wanted := (attributes{kept, kept, class, corev1.PersistentVolumeClaimModifyVolumeInfeasible}); found != wanted {
		return mismatch("VolumeAttributesClass of claim "+claim.Name+", which the driver refuses", wanted.String(), found.String())
	}
	return nil
}

// attributes are the VolumeAttributesClass of a claim and its volume, and the state of a modification.
type attributes struct {
	current, volume, target string
	status                  corev1.PersistentVolumeClaimModifyVolumeStatus
}

func attributesOf(claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) attributes {
	found := attributes{current: ptr.Deref(claim.Status.CurrentVolumeAttributesClassName, ""), volume: ptr.Deref(volume.Spec.VolumeAttributesClassName, "")}
	if modification := claim.Status.ModifyVolumeStatus; modification != nil {
		found.target, found.status = modification.TargetVolumeAttributesClassName, modification.Status
	}
	return found
}

func (a attributes) String() string {
	return fmt.Sprintf("current %q, of the PersistentVolume %q, target %q, status %q", a.current, a.volume, a.target, a.status)
}
