// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"

	storagev1 "k8s.io/api/storage/v1"
)

// LimitIn is how many volumes of the driver the CSINode says that the node takes; nil where it does not say.
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

// LimitIs wants the limit of the node's CSINode to be max_volumes_per_node of NodeGetInfo, and none where that is 0.
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

// SameLimit wants a limit to be what it was.
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
