// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

func TestIsBlock(t *testing.T) {
	wantVerdict(t, IsBlock("claim data", ptr.To(corev1.PersistentVolumeBlock)), satisfied)
	wantVerdict(t, IsBlock("claim data", ptr.To(corev1.PersistentVolumeFilesystem)), forGood, "Filesystem")
	wantVerdict(t, IsBlock("claim data", nil), forGood, "none")
}
