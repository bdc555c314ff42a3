// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

func TestParametersOf(t *testing.T) {
	given := profile.Profile{Volumes: []profile.Kind{{AccessibleFrom: 1}, {AccessibleFrom: 2, Parameters: map[string]string{"a": "b"}}, {AccessibleFrom: 3}}}
	for x, want := range map[int]map[string]string{1: {}, 2: {"a": "b"}, 3: {}, 4: nil} {
		if diff := cmp.Diff(want, parametersOf(given)(x)); diff != "" {
			t.Errorf("x = %d (-want +got):\n%s", x, diff)
		}
	}
}
