// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestByID(t *testing.T) {
	got, found := ByID("TR-07")
	if !found || got.Level != Must || got.Grades != Vendor || got.Source != "CSI spec.md v1.13.0 line 1134" || got.Area == "" {
		t.Errorf("ByID(TR-07) = %+v, %v", got, found)
	}
	if _, found := ByID("TR-99"); found {
		t.Error("ByID(TR-99) found a row that does not exist")
	}
}

func TestAllReturnsACopy(t *testing.T) {
	All()[0].ID = "changed"
	if All()[0].ID == "changed" {
		t.Error("a caller could change the register")
	}
}

func TestCheck(t *testing.T) {
	if err := Check("TR-07", "K8S-A3"); err != nil {
		t.Errorf("Check of known ids: %v", err)
	}
	err := Check("TR-07", "TR-99", "TR-99", "K8S-Z1")
	if err == nil || !strings.HasSuffix(err.Error(), "has the id TR-99, K8S-Z1") {
		t.Errorf("Check = %v, want it to name TR-99 and K8S-Z1 once", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	const sound = "area: a\nrequirements:\n- {id: TR-01, level: MUST, grades: vendor, tiers: [spec], source: s, text: t, since: '1.0'}\n"
	for _, c := range []struct{ name, given, want string }{
		{"a field it does not know", strings.Replace(sound, "text:", "words:", 1), "field words not found"},
		{"an id that occurs twice", sound + "- {id: TR-01, level: MUST, grades: vendor, tiers: [spec], source: s, text: t, since: '1.0'}\n", "TR-01 occurs twice"},
		{"a malformed id", strings.Replace(sound, "TR-01", "TR01", 1), "the id does not match"},
		{"an unknown level", strings.Replace(sound, "MUST", "OUGHT", 1), `level "OUGHT" is none of`},
		{"an unknown party", strings.Replace(sound, "vendor", "driver", 1), `grades "driver" is none of`},
		{"an unknown tier", strings.Replace(sound, "[spec]", "[gRPC]", 1), `tier "gRPC" is none of`},
		{"no tier and no reason", strings.Replace(sound, "[spec]", "[]", 1), "either tiers or the reason"},
		{"a tier and a reason", strings.Replace(sound, "source:", "untestable: no, source:", 1), "either tiers or the reason"},
		{"two reasons", strings.Replace(sound, "tiers: [spec]", "untestable: a, uncovered: b", 1), "want one reason"},
		{"no text", strings.Replace(sound, "text: t", "text: ''", 1), "a source and a text"},
		{"no area", strings.Replace(sound, "area: a", "area: ''", 1), "want an area"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load(fstest.MapFS{"register/a.yaml": {Data: []byte(c.given)}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("load = %v, want an error with %q", err, c.want)
			}
		})
	}
	if _, err := load(fstest.MapFS{"register/a.yaml": {Data: []byte(sound)}}); err != nil {
		t.Errorf("load of a sound file: %v", err)
	}
}
