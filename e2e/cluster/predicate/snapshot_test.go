// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestSnapshotReady(t *testing.T) {
	failed := func(message string) map[string]any {
		return map[string]any{"readyToUse": false, "error": map[string]any{"message": message}}
	}
	tests := []struct {
		name   string
		status map[string]any
		want   string
	}{
		{"nothing happened", nil, notYet},
		{"being processed", map[string]any{"readyToUse": false}, notYet},
		{"ready", map[string]any{"readyToUse": true}, satisfied},
		{"refused", failed("rpc error: code = Unimplemented desc = no"), differs},
		{"refused for lack of room", failed("rpc error: code = ResourceExhausted desc = full"), notYet},
		{"refused for now", failed("rpc error: code = Aborted desc = busy"), notYet},
		{"refused by the sidecar", failed("no class"), notYet},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, SnapshotReady(&unstructured.Unstructured{Object: map[string]any{"status": test.status}}), test.want)
		})
	}
}

func TestSnapshotNoticed(t *testing.T) {
	for _, test := range []struct {
		name  string
		given map[string]any
		want  string
	}{
		{"just created", map[string]any{"metadata": map[string]any{"name": "s"}, "spec": map[string]any{}}, notYet},
		{"with a finalizer", map[string]any{"metadata": map[string]any{"finalizers": []any{"snapshot.storage.kubernetes.io/x"}}}, satisfied},
		{"with a status", map[string]any{"status": map[string]any{"readyToUse": false}}, satisfied},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, SnapshotNoticed(&unstructured.Unstructured{Object: test.given}), test.want)
		})
	}
}

func TestSnapshotListed(t *testing.T) {
	wantVerdict(t, SnapshotListed("s", true, true), satisfied)
	wantVerdict(t, SnapshotListed("s", false, false), satisfied)
	wantVerdict(t, SnapshotListed("s", true, false), differs, "snapshot s", "wanted not listed")
	wantVerdict(t, SnapshotListed("s", false, true), differs, "snapshot s", "wanted listed")
}
