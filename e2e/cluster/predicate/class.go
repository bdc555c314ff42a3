// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// ClassAsAsked requires the StorageClass that the API server created to equal the requested one. If the cluster's admission
// changes classes, the fate of claims is evidence against neither driver nor platform.
func ClassAsAsked(asked, made *storagev1.StorageClass) error {
	for _, field := range []struct {
		name        string
		asked, made any
	}{
		{"volumeBindingMode", asked.VolumeBindingMode, made.VolumeBindingMode},
		{"reclaimPolicy", asked.ReclaimPolicy, made.ReclaimPolicy},
		{"allowVolumeExpansion", asked.AllowVolumeExpansion, made.AllowVolumeExpansion},
		{"allowedTopologies", asked.AllowedTopologies, made.AllowedTopologies},
		{"parameters", asked.Parameters, made.Parameters},
		{"mountOptions", asked.MountOptions, made.MountOptions},
	} {
		if !equality.Semantic.DeepEqual(field.asked, field.made) {
			return finalMismatch(field.name+" of StorageClass "+made.Name+" as the API server made it", fieldText(field.asked), fieldText(field.made))
		}
	}
	return nil
}

// fieldText returns a field in the form of a manifest.
func fieldText(field any) string {
	text, err := json.Marshal(field)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
