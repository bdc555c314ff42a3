// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// ClaimBound requires the claim to have its volume.
func ClaimBound(claim *corev1.PersistentVolumeClaim) error {
	switch claim.Status.Phase {
	case corev1.ClaimBound:
		return nil
	case corev1.ClaimLost:
		return mismatch("claim "+claim.Name, "phase Bound", "phase Lost")
	default:
		return fmt.Errorf("claim %s is not bound: phase %q", claim.Name, claim.Status.Phase)
	}
}

// SavedLater requires the claim to have its volume, which no call may delete.
func SavedLater(claim *corev1.PersistentVolumeClaim, deleted []trace.Call) error {
	if err := NotAsked(deleted); err != nil {
		return err
	}
	if err := ClaimBound(claim); err != nil {
		return mismatch("claim "+claim.Name+", whose volume was made", "phase Bound", "phase "+string(claim.Status.Phase))
	}
	return nil
}

// ProvisioningRefused requires the driver to have refused the claim's volume with this code, as the provisioner reports it.
// A created volume, or another code that the provisioner does not retry, is a final mismatch.
func ProvisioningRefused(claim *corev1.PersistentVolumeClaim, events []corev1.Event, code codes.Code) error {
	if EventSays(events, claim.UID, failedProvisioning, codeText(code)) == nil {
		return nil
	}
	subject := "provisioning of claim " + claim.Name
	wanted := "refused with " + code.String()
	if claim.Status.Phase == corev1.ClaimBound {
		return finalMismatch(subject, wanted, "volume "+claim.Spec.VolumeName+" was made")
	}
	err := fmt.Errorf("claim %s was not refused a volume: phase %s", claim.Name, claim.Status.Phase)
	for _, event := range events {
		if event.InvolvedObject.UID != claim.UID || event.Reason != failedProvisioning {
			continue
		}
		switch {
		case !quotesCode(event.Message):
			err = &Unsaid{Wanted: subject + ": wanted it " + wanted, Found: event.Message}
		case !isHitch(event.Message):
			return finalMismatch(subject, wanted, event.Message)
		default:
			err = mismatch(subject, wanted, event.Message)
		}
	}
	return err
}

// BoundOrRefused requires the claim to have its volume, or the driver to have refused it with one of these codes, as
// the provisioner reports it.
func BoundOrRefused(claim *corev1.PersistentVolumeClaim, events []corev1.Event, allowed ...codes.Code) error {
	bound := ClaimBound(claim)
	if bound == nil {
		return nil
	}
	for _, code := range allowed {
		if ProvisioningRefused(claim, events, code) == nil {
			return nil
		}
	}
	for _, event := range events {
		if event.InvolvedObject.UID == claim.UID && event.Reason == failedProvisioning && quotesCode(event.Message) && !isHitch(event.Message) {
			return mismatch("provisioning of claim "+claim.Name, fmt.Sprintf("a volume, or one of the codes %v", allowed), event.Message)
		}
	}
	return bound
}

// failedProvisioning is the reason of the provisioner's events about volumes that were not created.
const failedProvisioning = "ProvisioningFailed"

// isHitch reports whether the message has a code after which the provisioner repeats the same request.
func isHitch(message string) bool {
	for _, code := range []codes.Code{codes.Canceled, codes.DeadlineExceeded, codes.Unavailable, codes.Aborted} {
		if strings.Contains(message, codeText(code)) {
			return true
		}
	}
	return false
}

// quotesCode reports whether a message quotes a gRPC error, which is a driver's answer.
func quotesCode(message string) bool { return strings.Contains(message, "code = ") }

// codeText returns the code in the form of gRPC's error messages.
func codeText(code codes.Code) string { return "code = " + code.String() }

// ClaimWithoutVolume requires the claim to be pending, and to have no volume.
func ClaimWithoutVolume(claim *corev1.PersistentVolumeClaim) error {
	if claim.Status.Phase != corev1.ClaimPending || claim.Spec.VolumeName != "" {
		return mismatch("claim "+claim.Name, "phase Pending and no volume",
			fmt.Sprintf("phase %s and volume %q", claim.Status.Phase, claim.Spec.VolumeName))
	}
	return nil
}

// ClaimWaits requires the claim to be pending without a volume, and an event about it with one of these reasons.
func ClaimWaits(claim *corev1.PersistentVolumeClaim, events []corev1.Event, reasons ...string) error {
	if claim.Spec.VolumeName != "" {
		return finalMismatch("claim "+claim.Name, "no volume, and an event "+strings.Join(reasons, " or "), "volume "+claim.Spec.VolumeName)
	}
	for _, reason := range reasons {
		if EventSays(events, claim.UID, reason) == nil {
			return ClaimWithoutVolume(claim)
		}
	}
	return &Unsaid{Wanted: "wanted an event about claim " + claim.Name + ": " + strings.Join(reasons, " or "), Found: "none"}
}

// ClaimHolds requires the claim's status to show at least this capacity, and no growth in progress.
func ClaimHolds(claim *corev1.PersistentVolumeClaim, wanted resource.Quantity) error {
	got := claim.Status.Capacity[corev1.ResourceStorage]
	if got.Cmp(wanted) < 0 {
		return mismatch("capacity in the status of claim "+claim.Name, "at least "+wanted.String(), got.String())
	}
	for _, condition := range claim.Status.Conditions {
		if condition.Type == corev1.PersistentVolumeClaimFileSystemResizePending && condition.Status == corev1.ConditionTrue {
			return mismatch("conditions of claim "+claim.Name, "the growth finished", string(condition.Type)+" is true")
		}
	}
	return nil
}

// ClaimHoldsNoMore requires the claim's status to show no more than this capacity.
func ClaimHoldsNoMore(claim *corev1.PersistentVolumeClaim, most resource.Quantity) error {
	if got := claim.Status.Capacity[corev1.ResourceStorage]; got.Cmp(most) > 0 {
		return mismatch("capacity in the status of claim "+claim.Name, "at most "+most.String(), got.String())
	}
	return nil
}

// ClaimWaitsForNode requires the claim's volume to have grown in the controller and its file
// system to wait for a node.
func ClaimWaitsForNode(claim *corev1.PersistentVolumeClaim) error {
	for _, condition := range claim.Status.Conditions {
		if condition.Type != corev1.PersistentVolumeClaimFileSystemResizePending || condition.Status != corev1.ConditionTrue {
			continue
		}
		status := claim.Status.AllocatedResourceStatuses[corev1.ResourceStorage]
		if status != corev1.PersistentVolumeClaimNodeResizePending {
			return mismatch("allocatedResourceStatuses of claim "+claim.Name, string(corev1.PersistentVolumeClaimNodeResizePending), string(status))
		}
		return nil
	}
	return fmt.Errorf("claim %s does not have the condition %s", claim.Name, corev1.PersistentVolumeClaimFileSystemResizePending)
}

// selectedNode is the annotation with which the scheduler passes the pod's node to the provisioner.
const selectedNode = "volume.kubernetes.io/selected-node"

// ClaimSelects requires the scheduler to have selected one of these nodes for the claim.
func ClaimSelects(claim *corev1.PersistentVolumeClaim, nodes []string) error {
	node := claim.Annotations[selectedNode]
	if node == "" {
		return fmt.Errorf("no node is selected for claim %s", claim.Name)
	}
	if !slices.Contains(nodes, node) {
		return finalMismatch("node selected for claim "+claim.Name, "one of "+strings.Join(nodes, ", "), node)
	}
	return nil
}

// ClaimSelectsNone requires the scheduler not to have selected a node for the claim.
func ClaimSelectsNone(claim *corev1.PersistentVolumeClaim) error {
	if node := claim.Annotations[selectedNode]; node != "" {
		return finalMismatch("node selected for claim "+claim.Name, "none", node)
	}
	return nil
}
