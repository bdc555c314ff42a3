// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	driverNameLabel = "csi.storage.k8s.io/drivername"
	managedByLabel  = "csi.storage.k8s.io/managed-by"
)

// OneCapacityPerSegment requires exactly one of a StorageClass's objects for each segment. A provisioner that refreshes an
// object while it is still creating it may create two for one segment, and remove one later: that is not yet a mismatch.
func OneCapacityPerSegment(objects []storagev1.CSIStorageCapacity, segments []Segment) error {
	found := make([]Segment, 0, len(objects))
	for _, object := range objects {
		if object.NodeTopology == nil || len(object.NodeTopology.MatchExpressions) > 0 {
			return mismatch("nodeTopology of CSIStorageCapacity "+object.Name, "matchLabels only",
				metav1.FormatLabelSelector(object.NodeTopology))
		}
		found = append(found, object.NodeTopology.MatchLabels)
	}
	if len(found) < len(segments) {
		return fmt.Errorf("CSIStorageCapacity objects are missing: wanted %s, found %s", canonicalSet(segments), canonicalSet(found))
	}
	unique := slices.CompactFunc(slices.SortedFunc(slices.Values(found), bySegment), func(a, b Segment) bool { return bySegment(a, b) == 0 })
	if len(unique) < len(found) {
		return fmt.Errorf("a segment has two CSIStorageCapacity objects: wanted %s, found %s", canonicalSet(segments), canonicalSet(found))
	}
	if wanted, got := canonicalSet(segments), canonicalSet(found); wanted != got {
		return mismatch("CSIStorageCapacity objects of the class", wanted, got)
	}
	return nil
}

// CapacityLabels requires the objects to name their driver and a manager.
func CapacityLabels(objects []storagev1.CSIStorageCapacity, driver string) error {
	for _, object := range objects {
		if got := object.Labels[driverNameLabel]; got != driver {
			return mismatch(fmt.Sprintf("label %s of CSIStorageCapacity %s", driverNameLabel, object.Name), driver, fmt.Sprintf("%q", got))
		}
		if object.Labels[managedByLabel] == "" {
			return mismatch("labels of CSIStorageCapacity "+object.Name, managedByLabel+" with a value", "no such label")
		}
	}
	return nil
}

func bySegment(a, b Segment) int { return strings.Compare(Canonical(a), Canonical(b)) }

// CapacityOf returns the bytes that the object of this segment shows, and an error while it does not exist or shows no
// capacity.
func CapacityOf(objects []storagev1.CSIStorageCapacity, segment Segment) (int64, error) {
	for _, object := range objects {
		if object.NodeTopology == nil || Canonical(object.NodeTopology.MatchLabels) != Canonical(segment) {
			continue
		}
		if object.Capacity == nil {
			return 0, fmt.Errorf("CSIStorageCapacity %s shows no capacity", object.Name)
		}
		return object.Capacity.Value(), nil
	}
	return 0, fmt.Errorf("there is no CSIStorageCapacity for %s among %d objects of the class", Canonical(segment), len(objects))
}

// Fewer requires less room than the given number of bytes.
func Fewer(subject string, bytes, than int64) error {
	if bytes >= than {
		return mismatch(subject, fmt.Sprintf("less than %d bytes", than), fmt.Sprintf("%d bytes", bytes))
	}
	return nil
}

// AtLeast requires at least the given number of bytes of room.
func AtLeast(subject string, bytes, least int64) error {
	if bytes < least {
		return mismatch(subject, fmt.Sprintf("at least %d bytes", least), fmt.Sprintf("%d bytes", bytes))
	}
	return nil
}

// Equal requires exactly the given number of bytes.
func Equal(subject string, bytes, wanted int64) error {
	if bytes != wanted {
		return mismatch(subject, fmt.Sprintf("%d bytes", wanted), fmt.Sprintf("%d bytes", bytes))
	}
	return nil
}
