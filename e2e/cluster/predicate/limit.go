// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"

	storagev1 "k8s.io/api/storage/v1"
)

// LimitIn returns the CSINode's limit of the driver's volumes on the node; nil if it has none.
func LimitIn(registered *storagev1.CSINode, driver string) (*int32, error) {
	at := slices.IndexFunc(registered.Spec.Drivers, func(entry storagev1.CSINodeDriver) bool { return entry.Name == driver })
	if at < 0 {
		return nil, fmt.Errorf("CSINode %s does not name driver %s", registered.Name, driver)
	}
	if allocatable := registered.Spec.Drivers[at].Allocatable; allocatable != nil {
		return allocatable.Count, nil
	}
	return nil, nil
}

// LimitIs requires the limit in the node's CSINode to be max_volumes_per_node of NodeGetInfo, and none if that is 0.
func LimitIs(node string, found *int32, maxVolumes int64) error {
	wanted := "none"
	if maxVolumes > 0 {
		wanted = fmt.Sprint(maxVolumes)
	}
	if got := limitText(found); got != wanted {
		return mismatch("allocatable.count in CSINode "+node, wanted+", as NodeGetInfo says", got)
	}
	return nil
}

// SameLimit requires a limit to be the same as before.
func SameLimit(subject string, before, now *int32) error {
	if wanted, got := limitText(before), limitText(now); wanted != got {
		return mismatch(subject, wanted+", as before", got)
	}
	return nil
}

func limitText(limit *int32) string {
	if limit == nil {
		return "none"
	}
	return fmt.Sprint(*limit)
}
