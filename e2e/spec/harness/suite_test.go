// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// TestACaseThatRunsAgainMakesNewNames checks that a case that runs again uses other names: a driver need not free a name
// when its object is deleted.
func TestACaseThatRunsAgainMakesNewNames(t *testing.T) {
	spool, err := wire.NewSpool(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = spool.Close() })
	s := New(&Target{Run: "run", Calls: spool})
	call := wire.Call{Method: csi.Controller_ListVolumes_FullMethodName, Request: &csi.ListVolumesRequest{}, Response: &csi.ListVolumesResponse{}}
	var names []string
	for run := range 3 {
		d, other := s.Open(t.Context(), Case{ID: "a_case"}), s.Open(t.Context(), Case{ID: "another"})
		names = append(names, d.Name(), d.Name(), other.Name())
		d.calls.Add(call, nil)
		if calls := d.calls.Len(); calls != run+1 || other.calls.Len() != 0 {
			t.Errorf("run %d has %d calls of the case, those of all runs so far are %d; the other case has %d", run+1, calls, run+1, other.calls.Len())
		}
	}
	slices.Sort(names)
	if unique := slices.Compact(slices.Clone(names)); len(unique) != len(names) {
		t.Errorf("the names are not unique: %q", names)
	}
}
