// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// EventSays requires an event about the object with this reason, and with each of the phrases in its message. Without
// one it returns Unsaid.
func EventSays(events []corev1.Event, about types.UID, reason string, phrases ...string) error {
	for _, event := range events {
		if event.InvolvedObject.UID == about && event.Reason == reason && holdsAll(event.Message, phrases) {
			return nil
		}
	}
	return &Unsaid{Wanted: fmt.Sprintf("wanted an event %s %q about the object", reason, phrases), Found: "none"}
}

// EventsInOrder requires events about the object with each of these reasons, none of them earlier than the previous one in
// the list. It may only be called once the case knows from another source that they happened. If there is no event about
// the object at all, events may not have been recorded.
func EventsInOrder(events []corev1.Event, about types.UID, reasons ...string) error {
	if !slices.ContainsFunc(events, func(event corev1.Event) bool { return event.InvolvedObject.UID == about }) {
		return errors.New("there is no event about the object")
	}
	var before time.Time
	for _, reason := range reasons {
		first, found := firstOf(events, about, reason)
		if !found {
			return mismatch("events about the object", strings.Join(reasons, ", then "), "no "+reason)
		}
		if first.Before(before) {
			return mismatch("events about the object", strings.Join(reasons, ", then "), reason+" came earlier, at "+clock(first))
		}
		before = first
	}
	return nil
}

// HasUnknownParameter reports whether csi-provisioner reports an unknown parameter of the claim's class; another release
// may know it.
func HasUnknownParameter(events []corev1.Event, claim types.UID) bool {
	return slices.ContainsFunc(events, func(event corev1.Event) bool {
		return event.InvolvedObject.UID == claim && strings.Contains(event.Message, "found unknown parameter key")
	})
}

// firstOf returns the time of the first event about the object with the reason, and whether there is one.
func firstOf(events []corev1.Event, about types.UID, reason string) (first time.Time, found bool) {
	for _, event := range events {
		if event.InvolvedObject.UID != about || event.Reason != reason {
			continue
		}
		if at := firstSeen(event); !found || at.Before(first) {
			first, found = at, true
		}
	}
	return first, found
}

// EventLines formats events for people, one per line, oldest first.
func EventLines(events []corev1.Event) string {
	if len(events) == 0 {
		return "  none"
	}
	inTime := slices.Clone(events)
	slices.SortStableFunc(inTime, func(a, b corev1.Event) int { return firstSeen(a).Compare(firstSeen(b)) })
	lines := make([]string, 0, len(inTime))
	for _, event := range inTime {
		repeated := ""
		if n := occurrences(event); n > 1 {
			repeated = fmt.Sprintf(" (%d times)", n)
		}
		lines = append(lines, fmt.Sprintf("  %s %s %s/%s %s: %s%s", firstSeen(event).UTC().Format(time.TimeOnly), event.Type, event.InvolvedObject.Kind,
			event.InvolvedObject.Name, event.Reason, event.Message, repeated))
	}
	return strings.Join(lines, "\n")
}

// firstSeen returns the time of the event's first occurrence; the newer API has a separate field for it.
func firstSeen(event corev1.Event) time.Time {
	if !event.EventTime.IsZero() {
		return event.EventTime.Time
	}
	return event.FirstTimestamp.Time
}

func holdsAll(message string, phrases []string) bool {
	for _, phrase := range phrases {
		if !strings.Contains(message, phrase) {
			return false
		}
	}
	return true
}

// StorageWarnings returns the events that report that the driver refused to provision, attach, delete or grow, that
// mounting failed, or that the scheduler found no node because of storage.
func StorageWarnings(events []corev1.Event) []corev1.Event {
	var warnings []corev1.Event
	for _, event := range events {
		if event.Type == corev1.EventTypeWarning && isAboutStorage(event) {
			warnings = append(warnings, event)
		}
	}
	return warnings
}

// Complaints returns the storage warnings that were added to the events, or repeated, since they were last read. Refusals
// that callers retry anyway, such as ABORTED, are not included.
func Complaints(before, now []corev1.Event) []corev1.Event {
	times := map[types.UID]int32{}
	for _, event := range before {
		times[event.UID] = occurrences(event)
	}
	return slices.DeleteFunc(StorageWarnings(now), func(event corev1.Event) bool {
		seen, known := times[event.UID]
		return known && seen == occurrences(event) || isHitch(event.Message)
	})
}

// occurrences returns the number of occurrences of the event; the newer API counts in its series.
func occurrences(event corev1.Event) int32 {
	if event.Series != nil {
		return event.Series.Count
	}
	return event.Count
}

func isAboutStorage(event corev1.Event) bool {
	switch event.Reason {
	case "FailedMount":
		// Named in `failed for volume "x"`, or in `unmounted volumes=[x]` when the kubelet gives up waiting.
		return !strings.Contains(event.Message, workload.WithheldVolume)
	case failedProvisioning, "VolumeFailedDelete", "FailedAttachVolume", "FailedMapVolume",
		"VolumeResizeFailed", "FileSystemResizeFailed":
		// Kubernetes' own messages, such as that a volume is still attached elsewhere, are not complaints about the
		// storage.
		return quotesCode(event.Message)
	case "FailedScheduling":
		for _, reason := range []Reason{OtherTopology, NoVolumeToBind, NoStorage} {
			if reason.in(event.Message) {
				return true
			}
		}
	}
	return false
}
