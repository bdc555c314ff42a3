// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Spread requires the counts over these zones to differ by no more than maxSkew and to add
// up to the total; a zone without a count counts zero.
func Spread(what string, counts map[string]int, zones []string, total, maxSkew int) error {
	least, most, sum := total, 0, 0
	for _, zone := range zones {
		n := counts[zone]
		least, most, sum = min(least, n), max(most, n), sum+n
	}
	outside := 0
	for zone, n := range counts {
		if !slices.Contains(zones, zone) {
			outside += n
		}
	}
	if outside > 0 || sum != total || most-least > maxSkew {
		return mismatch(what+" per zone", fmt.Sprintf("%d over %s with a skew of at most %d", total, strings.Join(zones, ", "), maxSkew),
			countList(counts))
	}
	return nil
}

func countList(counts map[string]int) string {
	parts := make([]string, 0, len(counts))
	for _, zone := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s: %d", zone, counts[zone]))
	}
	return strings.Join(parts, ", ")
}

// AllRun requires exactly the given number of pods, all of them ready.
func AllRun(pods []corev1.Pod, replicas int) error {
	for i := range pods {
		if err := PodRuns(&pods[i]); err != nil {
			return err
		}
	}
	if len(pods) != replicas {
		return fmt.Errorf("%d pods exist, wanted %d", len(pods), replicas)
	}
	return nil
}

// AllRunButOne requires exactly the given number of pods, all ready but one, which the scheduler refused for each of the
// reasons. It returns the ready ones.
func AllRunButOne(pods []corev1.Pod, replicas int, reasons ...Reason) ([]corev1.Pod, error) {
	var running, others []corev1.Pod
	for _, pod := range pods {
		if PodRuns(&pod) == nil {
			running = append(running, pod)
		} else {
			others = append(others, pod)
		}
	}
	if len(running) == replicas {
		return nil, mismatch("pods that run", fmt.Sprintf("%d of %d", replicas-1, replicas), "all of them")
	}
	if len(pods) != replicas || len(others) != 1 {
		return nil, fmt.Errorf("%d pods are ready and %d are not, wanted %d and one", len(running), len(others), replicas-1)
	}
	return running, PodUnschedulable(&others[0], reasons...)
}

// SelectedValues returns the values that the selector requires of the label.
func SelectedValues(selector *metav1.LabelSelector, label string) []string {
	var values []string
	for _, expression := range selector.MatchExpressions {
		if expression.Key == label && expression.Operator == metav1.LabelSelectorOpIn {
			values = append(values, expression.Values...)
		}
	}
	return values
}
