// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestUsableVolumes(t *testing.T) {
	tests := []struct {
		name, request, response, code, want string
	}{
		{"as large as asked for", `{"capacity_range": {"required_bytes": 10, "limit_bytes": 20}}`, `{"volume": {"volume_id": "v", "capacity_bytes": 10}}`, "OK", ""},
		{"of a size that is not told", `{"capacity_range": {"required_bytes": 10}}`, `{"volume": {"volume_id": "v"}}`, "OK", ""},
		{"too small", `{"capacity_range": {"required_bytes": 10}}`, `{"volume": {"volume_id": "v", "capacity_bytes": 9}}`, "OK", "CR-03"},
		{"too large", `{"capacity_range": {"limit_bytes": 20}}`, `{"volume": {"volume_id": "v", "capacity_bytes": 21}}`, "OK", "CR-05"},
		{"without an id", `{}`, `{"volume": {"capacity_bytes": 9}}`, "OK", "VOL-03"},
		{"without a volume", `{}`, `{}`, "OK", "VOL-03"},
		{"refused", `{"capacity_range": {"required_bytes": 10}}`, ``, "INTERNAL", ""},
		{"not recorded", ``, ``, "OK", ""},
	}
	cut := trace.Call{Method: "/csi.v1.Controller/CreateVolume", Code: "OK", Request: []byte(`{}`), Response: []byte(`{"volume": {}}`), Cut: "a part of 1 MiB"}
	if broken := UsableVolumes([]trace.Call{cut}); broken.Err != nil {
		t.Errorf("an answer of which a part was recorded is judged: %v", broken.Err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			broken := UsableVolumes([]trace.Call{{
				Method: "/csi.v1.Controller/CreateVolume", Code: test.code, Request: []byte(test.request), Response: []byte(test.response),
			}})
			if broken.Requirement != test.want {
				t.Errorf("got clause %q (%v), wanted %q", broken.Requirement, broken.Err, test.want)
			}
			if IsMismatch(broken.Err) != (test.want != "") {
				t.Errorf("got error %v", broken.Err)
			}
		})
	}
}
