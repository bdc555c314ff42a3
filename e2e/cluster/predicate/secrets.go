// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// CarriesSecret requires the call to have one secret, with this key, or none if the key is empty. Calls are recorded with
// the keys of secrets but not their values.
func CarriesSecret(call trace.Call, key string) error {
	var request struct{ Secrets map[string]string }
	if err := json.Unmarshal(call.Request, &request); err != nil {
		return fmt.Errorf("reading the secrets of %s: %w", call.Method, err)
	}
	wanted := []string{}
	if key != "" {
		wanted = append(wanted, key)
	}
	if found := slices.Sorted(maps.Keys(request.Secrets)); !slices.Equal(found, wanted) {
		return finalMismatch("keys of the secrets of "+call.Method, fmt.Sprintf("%q", wanted), fmt.Sprintf("%q", found))
	}
	return nil
}

// WithoutSecretParameters requires the parameters of a call of CreateVolume to name no secrets: only the sidecars look them
// up.
func WithoutSecretParameters(call trace.Call) error {
	var request struct{ Parameters map[string]string }
	if err := json.Unmarshal(call.Request, &request); err != nil {
		return fmt.Errorf("reading the parameters of %s: %w", call.Method, err)
	}
	for _, key := range slices.Sorted(maps.Keys(request.Parameters)) {
		if strings.HasPrefix(key, "csi.storage.k8s.io/") && strings.Contains(key, "secret") {
			return finalMismatch("parameters of "+call.Method, "none that names a secret", key)
		}
	}
	return nil
}

// SecretRef requires a reference of a PersistentVolume to be to this secret.
func SecretRef(field string, found *corev1.SecretReference, namespace, name string) error {
	got := "none"
	if found != nil {
		got = found.Namespace + "/" + found.Name
	}
	if wanted := namespace + "/" + name; got != wanted {
		return finalMismatch(field, wanted, got)
	}
	return nil
}

// RefusedBeforeDriver requires the provisioner to have rejected the claim for its own reason, named in its event, before it
// called the driver.
func RefusedBeforeDriver(claim *corev1.PersistentVolumeClaim, events []corev1.Event, created []trace.Call, phrase string) error {
	if len(created) > 0 {
		return finalMismatch("provisioning of claim "+claim.Name, "refused before the driver is asked: "+phrase, fmt.Sprintf("%d calls of CreateVolume", len(created)))
	}
	if claim.Spec.VolumeName != "" {
		return finalMismatch("provisioning of claim "+claim.Name, "refused: "+phrase, "volume "+claim.Spec.VolumeName)
	}
	return EventSays(events, claim.UID, "ProvisioningFailed", phrase)
}
