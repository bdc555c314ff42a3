// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

func TestTokensAreNotRecorded(t *testing.T) {
	for _, test := range []struct {
		name, given, want string
	}{
		{"two audiences", `{"":{"token":"eyJh","expirationTimestamp":"2026-11-26T00:00:00Z"},"vault":{"token":"eyJh"}}`,
			`{"":{"expirationTimestamp":"2026-11-26T00:00:00Z","token":"***stripped***"},"vault":{"token":"***stripped***"}}`},
		{"what is no object of audiences", `eyJh`, `***stripped***`},
	} {
		t.Run(test.name, func(t *testing.T) {
			request := &csi.NodePublishVolumeRequest{VolumeId: "v", VolumeContext: map[string]string{tokensKey: test.given, "pool": "a"}}
			recorded := Sanitized(request)
			var got struct {
				ID      string            `json:"volume_id"`
				Context map[string]string `json:"volume_context"`
			}
			if err := json.Unmarshal(recorded, &got); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(recorded), "eyJh") || got.Context[tokensKey] != test.want || got.Context["pool"] != "a" || got.ID != "v" {
				t.Errorf("recorded as %s, want the tokens as %s", recorded, test.want)
			}
		})
	}
}
