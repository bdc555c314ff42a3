// SPDX-License-Identifier: Apache-2.0

package harness

import "testing"

func TestIsMinor(t *testing.T) {
	for found, want := range map[string]bool{
		"v1.36.3":             false,
		"v1.37.0":             true,
		"v1.37.2-gke.1234000": true,
		"v1.37.0-rc.1":        true,
		"v1.38.1":             true,
		"v2.0.0":              true,
	} {
		got, err := isMinor(found, "1.37")
		if err != nil || got != want {
			t.Errorf("is %s 1.37 or later: want %v, got %v, %v", found, want, got, err)
		}
	}
	if _, err := isMinor("unknown", "1.37"); err == nil {
		t.Error("a version that is none: want an error")
	}
}
