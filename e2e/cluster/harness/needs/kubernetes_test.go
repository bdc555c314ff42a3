// SPDX-License-Identifier: Apache-2.0

package needs

import "testing"

func TestLacksMinor(t *testing.T) {
	for found, want := range map[string]string{
		"v1.36.3":             "needs Kubernetes 1.37, where it scores by default, found v1.36.3",
		"v1.37.0":             "",
		"v1.37.2-gke.1234000": "",
		"v1.38.0-alpha.1":     "",
	} {
		got, err := lacksMinor("1.37", found, "it scores")
		if err != nil || got != want {
			t.Errorf("of %s: want %q, got %q, %v", found, want, got, err)
		}
	}
	if _, err := lacksMinor("1.37", "unknown", "it scores"); err == nil {
		t.Error("of a version that is none: want an error")
	}
}
