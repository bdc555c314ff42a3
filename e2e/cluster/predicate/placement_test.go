// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestRescheduled(t *testing.T) {
	full := []string{"w1", "w2"}
	tests := []struct {
		name    string
		history []string
		want    string
	}{
		{"nothing selected yet", []string{""}, notYet},
		{"set, removed, set elsewhere", []string{"", "w1", "", "w3"}, satisfied},
		{"the full zone tried twice", []string{"", "w1", "", "w2", "", "w3"}, satisfied},
		{"watched from the first choice on", []string{"w1", "", "w3"}, satisfied},
		{"never removed", []string{"", "w1"}, differs},
		{"moved without being removed", []string{"", "w1", "w3"}, differs},
		{"removed and not set again", []string{"", "w1", ""}, differs},
		{"back to the full zone", []string{"", "w1", "", "w2"}, differs},
		{"never in the full zone", []string{"", "w3"}, differs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, Rescheduled(test.history, full), test.want)
		})
	}
	wantVerdict(t, Rescheduled([]string{"", "w1"}, full), differs, "(none) -> w1")
}

func TestTakenBack(t *testing.T) {
	wantVerdict(t, TakenBack(nil), notYet)
	wantVerdict(t, TakenBack([]string{""}), notYet)
	wantVerdict(t, TakenBack([]string{"", "w1"}), differs, "(none) -> w1")
	wantVerdict(t, TakenBack([]string{"", "w1", "w2"}), differs)
	wantVerdict(t, TakenBack([]string{"", "w1", ""}), satisfied)
	wantVerdict(t, TakenBack([]string{"w1", "", "w1"}), satisfied)
}

func TestNeverSelected(t *testing.T) {
	wantVerdict(t, NeverSelected([]string{"", "w3"}, []string{"w1"}), satisfied)
	wantVerdict(t, NeverSelected([]string{"", "w1", "", "w3"}, []string{"w1"}), forGood, "w1")
}

func TestSpread(t *testing.T) {
	zones := []string{"Z2", "Z3", "Z4"}
	tests := []struct {
		name    string
		counts  map[string]int
		total   int
		maxSkew int
		want    string
	}{
		{"2/2/2", map[string]int{"Z2": 2, "Z3": 2, "Z4": 2}, 6, 1, satisfied},
		{"2/2/1", map[string]int{"Z2": 2, "Z3": 2, "Z4": 1}, 5, 1, satisfied},
		{"3/2/1", map[string]int{"Z2": 3, "Z3": 2, "Z4": 1}, 6, 1, differs},
		{"2/1/0", map[string]int{"Z2": 2, "Z3": 1}, 3, 1, differs},
		{"one is missing", map[string]int{"Z2": 2, "Z3": 2, "Z4": 1}, 6, 1, differs},
		{"one is elsewhere", map[string]int{"Z2": 2, "Z3": 2, "Z4": 2, "Z5": 1}, 6, 1, differs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, Spread("pods", test.counts, zones, test.total, test.maxSkew), test.want)
		})
	}
}

func TestAllRunButOne(t *testing.T) {
	stuck := podWith(refused("1 node(s) did not have enough free storage, 2 node(s) didn't match pod topology spread constraints"))
	starting := podWith()
	tests := []struct {
		name string
		pods []corev1.Pod
		want string
	}{
		{"two run and one is refused", []corev1.Pod{*runningOn("w1"), *runningOn("w2"), *stuck}, satisfied},
		{"one still starts", []corev1.Pod{*runningOn("w1"), *starting, *stuck}, notYet},
		{"one is not there yet", []corev1.Pod{*runningOn("w1"), *stuck}, notYet},
		{"one is not judged yet", []corev1.Pod{*runningOn("w1"), *runningOn("w2"), *starting}, notYet},
		{"refused for another reason", []corev1.Pod{*runningOn("w1"), *runningOn("w2"), *podWith(refused("5 Insufficient cpu"))}, unsaid},
		{"all run", []corev1.Pod{*runningOn("w1"), *runningOn("w2"), *runningOn("w3")}, differs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			running, err := AllRunButOne(test.pods, 3, NoSpread, NoStorage)
			wantVerdict(t, err, test.want)
			if err == nil && len(running) != 2 {
				t.Errorf("%d pods run, wanted 2", len(running))
			}
		})
	}
}

func TestAllRun(t *testing.T) {
	wantVerdict(t, AllRun([]corev1.Pod{*runningOn("w1"), *runningOn("w2")}, 2), satisfied)
	wantVerdict(t, AllRun([]corev1.Pod{*runningOn("w1")}, 2), notYet)
	wantVerdict(t, AllRun([]corev1.Pod{*runningOn("w1"), *podWith()}, 2), notYet)
}
