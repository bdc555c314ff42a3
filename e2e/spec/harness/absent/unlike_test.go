// SPDX-License-Identifier: Apache-2.0

package absent

import "testing"

func TestUnlike(t *testing.T) {
	for given, want := range map[string]string{
		"node-1": "xyab-6",
		"i-0a1b": "s-5d6e",
		"projects/p/zones/z/instances/gke-pool-7Xq": "projects/p/zones/z/instances/gke-pyyv-2Ng",
		"4f8c0de2-1a2b-4c3d-8e9f-00112233aaff":      "4f8c0de2-1a2b-4c3d-8e9f-00112288ddcc",
		"größe":                                     "qhößb",
		"::":                                        "::",
	} {
		if got := Unlike(given); got != want {
			t.Errorf("Unlike(%q) = %q, want %q", given, got, want)
		}
	}
}
