// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// SnapshotNoticed requires a snapshot controller to handle the VolumeSnapshot or VolumeGroupSnapshot: it first adds a
// finalizer, or reports an error in the status.
func SnapshotNoticed(snapshot *unstructured.Unstructured) error {
	if _, found, _ := unstructured.NestedMap(snapshot.Object, "status"); found || len(snapshot.GetFinalizers()) > 0 {
		return nil
	}
	return fmt.Errorf("%s %s has neither finalizers nor a status", snapshot.GetKind(), snapshot.GetName())
}

// SnapshotListed requires the driver to list the snapshot, or not to.
func SnapshotListed(handle string, found, wanted bool) error {
	if found == wanted {
		return nil
	}
	words := map[bool]string{true: "listed", false: "not listed"}
	return mismatch("snapshot "+handle+" in ListSnapshots", words[wanted], words[found])
}

// SnapshotReady requires the VolumeSnapshot or VolumeGroupSnapshot to be ready to use. A refusal is a mismatch, unless its
// reason is a lack of room, or temporary.
func SnapshotReady(snapshot *unstructured.Unstructured) error {
	ready, _, _ := unstructured.NestedBool(snapshot.Object, "status", "readyToUse")
	if ready {
		return nil
	}
	message, _, _ := unstructured.NestedString(snapshot.Object, "status", "error", "message")
	if strings.Contains(message, "code = ") && !isHitch(message) && !strings.Contains(message, codeText(codes.ResourceExhausted)) {
		return mismatch(snapshot.GetKind()+" "+snapshot.GetName(), "readyToUse", message)
	}
	if message == "" {
		return fmt.Errorf("%s %s is not ready to use", snapshot.GetKind(), snapshot.GetName())
	}
	return fmt.Errorf("%s %s is not ready to use: %s", snapshot.GetKind(), snapshot.GetName(), message)
}

// Deleting requires the object to be marked for deletion.
func Deleting(kind string, object metav1.Object) error {
	if object.GetDeletionTimestamp() == nil {
		return fmt.Errorf("%s %s is not being deleted", kind, object.GetName())
	}
	return nil
}
