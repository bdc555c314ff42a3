// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestEventSays(t *testing.T) {
	event := corev1.Event{Reason: "FailedAttachVolume", Message: "Multi-Attach error for volume pv-1"}
	event.InvolvedObject.UID = "pod-1"
	events := []corev1.Event{event}
	wantVerdict(t, EventSays(events, "pod-1", "FailedAttachVolume", "Multi-Attach", "pv-1"), satisfied)
	wantVerdict(t, EventSays(events, "pod-2", "FailedAttachVolume", "Multi-Attach"), unsaid, "FailedAttachVolume")
	wantVerdict(t, EventSays(events, "pod-1", "FailedMount", "Multi-Attach"), unsaid)
	wantVerdict(t, EventSays(events, "pod-1", "FailedAttachVolume", "Multi-Attach", "pv-2"), unsaid)
}

func TestEventsInOrder(t *testing.T) {
	event := func(reason string, second int64) corev1.Event {
		event := corev1.Event{Reason: reason, FirstTimestamp: metav1.Unix(second, 0)}
		event.InvolvedObject.UID = "claim-1"
		return event
	}
	for _, test := range []struct {
		name   string
		events []corev1.Event
		want   string
	}{
		{"in order", []corev1.Event{event("Succeeded", 3), event("Begun", 1), event("Failed", 2)}, satisfied},
		{"in one second", []corev1.Event{event("Succeeded", 1), event("Failed", 1), event("Begun", 1)}, satisfied},
		{"one too early", []corev1.Event{event("Begun", 2), event("Failed", 1), event("Succeeded", 3)}, differs},
		{"one again", []corev1.Event{event("Begun", 3), event("Begun", 1), event("Failed", 2), event("Succeeded", 4)}, satisfied},
		{"one is missing", []corev1.Event{event("Failed", 2), event("Succeeded", 3)}, differs},
		{"none", nil, notYet},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, EventsInOrder(test.events, "claim-1", "Begun", "Failed", "Succeeded"), test.want)
		})
	}
	wantVerdict(t, EventsInOrder([]corev1.Event{event("Begun", 1)}, "claim-2", "Begun"), notYet)
}

func TestHasUnknownParameter(t *testing.T) {
	event := corev1.Event{Reason: "ProvisioningFailed", Message: `failed to strip CSI Parameters of prefixed keys: found unknown parameter key "csi.storage.k8s.io/new"`}
	event.InvolvedObject.UID = "claim-1"
	if events := []corev1.Event{event}; !HasUnknownParameter(events, "claim-1") || HasUnknownParameter(events, "claim-2") || HasUnknownParameter(nil, "claim-1") {
		t.Error("want claim-1 alone to have an unknown parameter")
	}
}

func TestStorageWarnings(t *testing.T) {
	tests := []struct {
		name  string
		event corev1.Event
		want  bool
	}{
		{"provisioning", corev1.Event{Type: corev1.EventTypeWarning, Reason: "ProvisioningFailed", Message: "rpc error: code = Internal desc = no"}, true},
		{"a node without the driver", corev1.Event{Type: corev1.EventTypeWarning, Reason: "ProvisioningFailed", Message: "no topology key found on CSINode w1"}, false},
		{"attaching", corev1.Event{Type: corev1.EventTypeWarning, Reason: "FailedAttachVolume", Message: "AttachVolume.Attach failed : rpc error: code = Internal desc = no"}, true},
		{"attached elsewhere", corev1.Event{Type: corev1.EventTypeWarning, Reason: "FailedAttachVolume", Message: "Waiting for detach for volume, already used by pod(s) pod-1"}, false},
		{"no room", corev1.Event{Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Message: "1 node(s) did not have enough free storage"}, true},
		{"no processor", corev1.Event{Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Message: "5 Insufficient cpu"}, false},
		{"mount", corev1.Event{Type: corev1.EventTypeWarning, Reason: "FailedMount", Message: `MountVolume.SetUp failed for volume "pvc-1"`}, true},
		{"withheld", corev1.Event{Type: corev1.EventTypeWarning, Reason: "FailedMount", Message: `MountVolume.SetUp failed for volume "withheld" : configmap "withheld" not found`}, false},
		{"a ConfigMap that the driver names", corev1.Event{Type: corev1.EventTypeWarning, Reason: "FailedMount", Message: `MountVolume.SetUp failed for volume "pvc-1" : no ConfigMap of zone a`}, true},
		{"no image", corev1.Event{Type: corev1.EventTypeWarning, Reason: "Failed", Message: "ErrImagePull"}, false},
		{"all is well", corev1.Event{Type: corev1.EventTypeNormal, Reason: "ProvisioningSucceeded"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := len(StorageWarnings([]corev1.Event{test.event})) == 1; got != test.want {
				t.Errorf("a warning of storage: %v, wanted %v", got, test.want)
			}
		})
	}
}

func TestComplaints(t *testing.T) {
	warning := func(message string, count int32) []corev1.Event {
		event := corev1.Event{Type: corev1.EventTypeWarning, Reason: "ProvisioningFailed", Message: message, Count: count}
		event.UID = "event-1"
		return []corev1.Event{event}
	}
	const full = "rpc error: code = ResourceExhausted desc = full"
	for _, test := range []struct {
		name        string
		before, now []corev1.Event
		want        int
	}{
		{"a new refusal", nil, warning(full, 1), 1},
		{"a refusal of before", warning(full, 1), warning(full, 1), 0},
		{"a refusal that is repeated", warning(full, 1), warning(full, 2), 1},
		{"a call that is repeated anyway", nil, warning("rpc error: code = Aborted desc = pending", 3), 0},
	} {
		if got := len(Complaints(test.before, test.now)); got != test.want {
			t.Errorf("%s: got %d complaints, want %d", test.name, got, test.want)
		}
	}
}

func TestEventLinesAreInTime(t *testing.T) {
	if got := EventLines(nil); got != "  none" {
		t.Errorf("no events read %q", got)
	}
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	scheduled := corev1.Event{Reason: "Scheduled", EventTime: metav1.NewMicroTime(noon.Add(2 * time.Second))}
	provisioned := corev1.Event{Reason: "Provisioning", FirstTimestamp: metav1.NewTime(noon)}
	text := EventLines([]corev1.Event{scheduled, provisioned})
	if strings.Index(text, "Provisioning") > strings.Index(text, "Scheduled") {
		t.Errorf("events out of order:\n%s", text)
	}
}
