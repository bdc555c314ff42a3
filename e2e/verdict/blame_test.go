// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"slices"
	"testing"

	"github.com/onsi/ginkgo/v2/types"
)

func TestBlamed(t *testing.T) {
	var spec types.SpecReport
	for _, b := range []Mark{
		{Verdict: Warning, Clauses: []string{"LV-08"}},
		{Verdict: Fail, Clauses: []string{"TR-07", "CREATE-02"}},
		{Verdict: Fail, Clauses: []string{"TR-07"}},
	} {
		spec.ReportEntries = append(spec.ReportEntries, types.ReportEntry{Value: types.WrapEntryValue(b)})
	}
	for _, c := range []struct {
		given Verdict
		want  []string
	}{
		{Fail, []string{"CREATE-02", "TR-07"}},
		{Warning, []string{"LV-08"}},
		{Error, nil},
		{Pass, nil},
	} {
		if got := Blamed(spec, c.given); !slices.Equal(got, c.want) {
			t.Errorf("Blamed(%s) = %q, want %q", c.given, got, c.want)
		}
	}
}
