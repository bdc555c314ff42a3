// SPDX-License-Identifier: Apache-2.0

package predicate

import corev1 "k8s.io/api/core/v1"

// IsDevice requires a pod to have a block device in place of its raw block volume: found is the word device, or a
// description of the file that is there instead.
func IsDevice(pod, found string) error {
	if found == "device" {
		return nil
	}
	if found == "" {
		found = "nothing"
	}
	return mismatch("raw block volume in pod "+pod, "a block device", found)
}

// IsBlock requires the volumeMode of a claim or a volume, which is immutable, to be Block.
func IsBlock(what string, mode *corev1.PersistentVolumeMode) error {
	if mode == nil {
		return finalMismatch("volumeMode of "+what, string(corev1.PersistentVolumeBlock), "none")
	}
	if *mode != corev1.PersistentVolumeBlock {
		return finalMismatch("volumeMode of "+what, string(corev1.PersistentVolumeBlock), string(*mode))
	}
	return nil
}
