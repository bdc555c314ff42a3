// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestSecretsOfCalls(t *testing.T) {
	call := func(request string) trace.Call {
		return trace.Call{Method: "/csi.v1.Node/NodeStageVolume", Request: []byte(request)}
	}
	one, none := call(`{"volume_id":"v","secrets":{"stage":"***stripped***"}}`), call(`{"volume_id":"v"}`)
	claim := &corev1.PersistentVolumeClaim{}
	claim.UID = "c"
	bound := claim.DeepCopy()
	bound.Spec.VolumeName = "v"
	said := []corev1.Event{{Reason: "ProvisioningFailed", Message: "no secret s", InvolvedObject: corev1.ObjectReference{UID: "c"}}}
	ref := &corev1.SecretReference{Namespace: "n", Name: "s"}
	for _, test := range []struct {
		name  string
		given error
		want  string
	}{
		{"the secret", CarriesSecret(one, "stage"), satisfied},
		{"another secret", CarriesSecret(one, "publish"), forGood},
		{"a secret where none belongs", CarriesSecret(one, ""), forGood},
		{"no secret", CarriesSecret(none, "stage"), forGood},
		{"none, as wanted", CarriesSecret(none, ""), satisfied},
		{"secrets without keys", CarriesSecret(call(`{"secrets":"***stripped***"}`), "stage"), notYet},
		{"parameters of the driver", WithoutSecretParameters(call(`{"parameters":{"zones":"2","csi.storage.k8s.io/pvc/name":"c"}}`)), satisfied},
		{"a parameter of the sidecars", WithoutSecretParameters(call(`{"parameters":{"csi.storage.k8s.io/node-stage-secret-name":"s"}}`)), forGood},
		{"the reference", SecretRef("ref", ref, "n", "s"), satisfied},
		{"another reference", SecretRef("ref", ref, "n", "t"), forGood},
		{"no reference", SecretRef("ref", nil, "n", "s"), forGood},
		{"refused", RefusedBeforeDriver(claim, said, nil, "secret s"), satisfied},
		{"not refused yet", RefusedBeforeDriver(claim, nil, nil, "secret s"), unsaid},
		{"the driver was asked", RefusedBeforeDriver(claim, said, []trace.Call{none}, "secret s"), forGood},
		{"a volume was made", RefusedBeforeDriver(bound, nil, nil, "secret s"), forGood},
	} {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, test.given, test.want) })
	}
}
