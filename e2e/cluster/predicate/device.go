// SPDX-License-Identifier: Apache-2.0

package predicate

// IsDevice wants what a pod has in the place of its raw block volume to be a block device: the word device, or else what
// is there instead.
func IsDevice(pod, found string) error {
	if found == "device" {
		return nil
	}
	if found == "" {
		found = "nothing"
	}
	return mismatch("raw block volume in pod "+pod, "a block device", found)
}
