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
	wantVerdict(t, EventSays(events, "pod-2", "FailedAttachVolume", "Multi-Attach"), notYet, "FailedAttachVolume")
	wantVerdict(t, EventSays(events, "pod-1", "FailedMount", "Multi-Attach"), notYet)
	wantVerdict(t, EventSays(events, "pod-1", "FailedAttachVolume", "Multi-Attach", "pv-2"), notYet)
}

func TestStorageWarnings(t *testing.T) {
	tests := []struct {
		name  string
		event corev1.Event
		want  bool
	}{
		{"provisioning", corev1.Event{Type: corev1.EventTypeWarning, Reason: "ProvisioningFailed"}, true},
		{"no room", corev1.Event{Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Message: "1 node(s) did not have enough free storage"}, true},
		{"no processor", corev1.Event{Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Message: "5 Insufficient cpu"}, false},
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
