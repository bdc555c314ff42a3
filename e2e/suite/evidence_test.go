// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

func TestSnapshot(t *testing.T) {
	for _, test := range []struct {
		name  string
		given any
		want  string
	}{
		{name: "text", given: "Z2", want: `"Z2"`},
		{name: "large number", given: int64(9007199254740993), want: `9007199254740993`},
		{name: "nothing", given: nil, want: `null`},
		{name: "list", given: []string{"Z2", "Z3"}, want: `["Z2","Z3"]`},
		{name: "error", given: errors.New("no room"), want: `"no room"`},
		{name: "protobuf message", given: &csi.Volume{VolumeId: "v1"}, want: `{"volumeId":"v1"}`},
		{name: "a value without JSON form", given: complex(1, 2), want: `"(1+2i)"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := json.Compact(&got, snapshot(test.given)); err != nil { // protojson puts spaces at random
				t.Fatalf("not JSON: %v", err)
			}
			if got.String() != test.want {
				t.Errorf("want %s, got %s", test.want, got.String())
			}
		})
	}
}
