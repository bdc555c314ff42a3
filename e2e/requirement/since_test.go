// SPDX-License-Identifier: Apache-2.0

package requirement

import "testing"

func TestNewerThan(t *testing.T) {
	for _, c := range []struct {
		since, csi string
		want       bool
	}{
		{"1.0", "1.0", false}, {"1.9", "1.10", false}, {"1.10", "1.9", true}, {"1.13", "1.5", true}, {"", "1.0", false},
	} {
		if got := (Requirement{Since: c.since}).NewerThan(c.csi); got != c.want {
			t.Errorf("since %q, CSI %s: want %v, got %v", c.since, c.csi, c.want, got)
		}
	}
}

func TestAllNewer(t *testing.T) {
	for _, c := range []struct {
		name  string
		given []string
		want  string
	}{
		{"only newer ones", []string{"GS-01", "GEN-15"}, "GS-01"},
		{"an older one too", []string{"GS-01", "CS-01"}, ""},
		{"general rules alone", []string{"GEN-15"}, ""},
		{"none", nil, ""},
	} {
		if got, _ := AllNewer(c.given, "1.5"); got.ID != c.want {
			t.Errorf("%s: want %q, got %q", c.name, c.want, got.ID)
		}
	}
}

func TestCheckVersion(t *testing.T) {
	for version, valid := range map[string]bool{"1.0": true, "1.13": true, "1.14": false, "1.5.0": false, "v1.5": false, "": false} {
		if err := CheckVersion(version); (err == nil) != valid {
			t.Errorf("%q: got %v", version, err)
		}
	}
}
