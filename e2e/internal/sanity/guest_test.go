// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"fmt"
	"slices"
	"testing"

	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/paths"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestListedAsDeclared checks that csi-sanity's cases are listed segment by segment, regardless of the order in which
// Ginkgo runs them, and that the cases that run alone are found.
func TestListedAsDeclared(t *testing.T) {
	const segments = 11
	tier := harness.New(&harness.Target{Paths: paths.Local("/"), Nodes: make([]grpc.ClientConnInterface, segments)})
	guest := &Guest{Tier: tier, Segments: make([]Segment, segments), Extent: Everywhere}
	all, err := guest.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	each, apart := len(all)/segments, 0
	for i, c := range all {
		if want := fmt.Sprintf("sanity_%d_%03d", i/each+1, i%each+1); c.ID != want {
			t.Fatalf("want %s in place %d, got %s", want, i, c.ID)
		}
		if slices.Contains(c.Labels(), suite.AloneLabel) {
			apart++
		}
	}
	if want := len(alone) * segments; apart != want {
		t.Errorf("want %d cases that run alone, got %d", want, apart)
	}
}
