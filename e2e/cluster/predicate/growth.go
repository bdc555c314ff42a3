// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// FileSystemBytes reads the size in bytes from the answer of `df -P -k PATH`.
func FileSystemBytes(df string) (int64, error) {
	lines := strings.Split(strings.TrimSpace(df), "\n")
	fields := strings.Fields(lines[len(lines)-1])
	if len(lines) < 2 || len(fields) < 6 {
		return 0, fmt.Errorf("df answered %q, wanted a heading and a line of six columns", df)
	}
	kibibytes, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("df answered %q, wanted a number of 1K-blocks in the second column: %w", df, err)
	}
	return kibibytes * 1024, nil
}

// minimumGrowth is the part of a volume's growth that its file system must show: the rest is for the file system's own
// needs.
const minimumGrowth = 0.8

// Grown requires a file system to have grown with its volume, which grew by the given number of bytes.
func Grown(before, after, by int64) error {
	least := before + int64(minimumGrowth*float64(by))
	return AtLeast(fmt.Sprintf("size of the file system that was %d bytes", before), after, least)
}

// OnceGrownByController returns the result of an observation of a volume. Until its claim shows that the controller has
// grown it, no observation contradicts the driver, which may not have been called.
func OnceGrownByController(claim *corev1.PersistentVolumeClaim, wanted resource.Quantity, observed error) error {
	switch claim.Status.AllocatedResourceStatuses[corev1.ResourceStorage] {
	case corev1.PersistentVolumeClaimNodeResizePending, corev1.PersistentVolumeClaimNodeResizeInProgress, corev1.PersistentVolumeClaimNodeResizeInfeasible:
		return observed
	}
	return OnceGrown(claim, wanted, observed)
}

// OnceGrown returns the result of an observation of a volume or its file system. Until the claim shows that its growth is
// over, no observation contradicts the driver, whose node plugin may not have been called.
func OnceGrown(claim *corev1.PersistentVolumeClaim, wanted resource.Quantity, observed error) error {
	pending := ClaimHolds(claim, wanted)
	if pending == nil || !IsMismatch(observed) {
		return observed
	}
	return fmt.Errorf("nothing shows that the driver has been asked for all of it: %w\n%w", Undecided(pending), Undecided(observed))
}

// documented reports whether the status is a documented value of allocatedResourceStatuses for a growth; "" means no
// growth.
func documented(status corev1.ClaimResourceStatus) bool {
	switch status {
	case "",
		corev1.PersistentVolumeClaimControllerResizeInProgress, corev1.PersistentVolumeClaimControllerResizeInfeasible,
		corev1.PersistentVolumeClaimNodeResizePending, corev1.PersistentVolumeClaimNodeResizeInProgress, corev1.PersistentVolumeClaimNodeResizeInfeasible:
		return true
	}
	return false
}

const growthHistory = "allocatedResourceStatuses of the claim, over time"

// GrowthPassed requires the history of a claim's allocatedResourceStatuses to have these values in this order. Values
// between them may come from a repeated attempt, and more values may follow.
func GrowthPassed(history []string, wanted ...corev1.ClaimResourceStatus) error {
	at := 0
	for _, value := range history {
		if !documented(corev1.ClaimResourceStatus(value)) {
			return finalMismatch(growthHistory, "values that Kubernetes documents", fmt.Sprintf("%q", value))
		}
		if at < len(wanted) && value == string(wanted[at]) {
			at++
		}
	}
	if at < len(wanted) {
		return mismatch(growthHistory, fmt.Sprintf("%q, in this order", wanted), fmt.Sprintf("%q", history))
	}
	return nil
}

// GrowthEnded has the requirements of GrowthPassed, and requires the last of the values to end the history.
func GrowthEnded(history []string, wanted ...corev1.ClaimResourceStatus) error {
	if err := GrowthPassed(history, wanted...); err != nil {
		return err
	}
	if last := string(wanted[len(wanted)-1]); history[len(history)-1] != last {
		return mismatch(growthHistory, fmt.Sprintf("%q at the end", last), fmt.Sprintf("%q", history))
	}
	return nil
}

// NeedsNode reports whether a node takes part in the claim's growth: csi-resizer annotates a claim that grows without a
// node.
func NeedsNode(claim *corev1.PersistentVolumeClaim) bool {
	return claim.Annotations["volume.kubernetes.io/node-expansion-not-required"] != "true"
}

// GrowthInfeasible requires the claim to show that the controller cannot grow its volume, and to quote the driver.
func GrowthInfeasible(claim *corev1.PersistentVolumeClaim, said string) error {
	subject := "growth of claim " + claim.Name
	status := claim.Status.AllocatedResourceStatuses[corev1.ResourceStorage]
	if status != corev1.PersistentVolumeClaimControllerResizeInfeasible {
		return mismatch(subject, string(corev1.PersistentVolumeClaimControllerResizeInfeasible), fmt.Sprintf("%q", status))
	}
	return conditionSays(claim, corev1.PersistentVolumeClaimControllerResizeError, said)
}

// conditionSays requires the claim to have the condition, with the phrase in its message. Otherwise it returns Unsaid.
func conditionSays(claim *corev1.PersistentVolumeClaim, kind corev1.PersistentVolumeClaimConditionType, phrase string) error {
	var found []string
	for _, condition := range claim.Status.Conditions {
		if condition.Type == kind && condition.Status == corev1.ConditionTrue && strings.Contains(condition.Message, phrase) {
			return nil
		}
		found = append(found, fmt.Sprintf("%s %s: %s", condition.Type, condition.Status, condition.Message))
	}
	return &Unsaid{Wanted: fmt.Sprintf("wanted claim %s to have the condition %s with %q in its message", claim.Name, kind, phrase), Found: strings.Join(found, "; ")}
}
