// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestProvisioningCounted(t *testing.T) {
	// text returns a provisioner's metrics for class c: the successes, the number of their durations, and the failures.
	text := func(metric string, total, durations, failed int) string {
		return fmt.Sprintf(`# TYPE %[1]s_total counter
%[1]s_total{class="c",source=""} %[2]d
%[1]s_total{class="other",source=""} 7
# TYPE %[1]s_duration_seconds histogram
%[1]s_duration_seconds_bucket{class="c",source="",le="+Inf"} %[3]d
%[1]s_duration_seconds_sum{class="c",source=""} 0.1
%[1]s_duration_seconds_count{class="c",source=""} %[3]d
# TYPE %[1]s_failed_total counter
%[1]s_failed_total{class="c",source=""} %[4]d
`, metric, total, durations, failed)
	}
	created := func(total, durations, failed int) string {
		return text("controller_persistentvolumeclaim_provision", total, durations, failed)
	}
	deleted := func(total, durations, failed int) string {
		return text("controller_persistentvolume_delete", total, durations, failed)
	}
	calls := append(answered("INTERNAL", 0, 1), answered(codeOK, 2)...)
	twice := slices.Concat(calls, answered(codeOK, 3))
	for _, test := range []struct {
		name, given string
		want        string
		says        []string
	}{
		{"as many", created(1, 1, 2) + deleted(1, 1, 2), satisfied, nil},
		{"more that failed", created(1, 1, 3) + deleted(1, 1, 4), satisfied, nil},
		{"what was repeated", created(1, 1, 2) + deleted(2, 2, 2), satisfied, nil},
		{"nothing", "", differs, []string{"provision_total"}},
		{"more than was created", created(2, 2, 2) + deleted(1, 1, 2), differs, []string{"provision_total"}},
		{"none that failed", created(1, 1, 0) + deleted(1, 1, 2), differs, []string{"provision_failed_total"}},
		{"no duration", created(1, 0, 2) + deleted(1, 1, 2), differs, []string{"provision_duration_seconds"}},
		{"nothing deleted", created(1, 1, 2), differs, []string{"delete_total"}},
		{"no failed deletion", created(1, 1, 2) + deleted(1, 1, 1), differs, []string{"delete_failed_total"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, err := ReadSamples(strings.NewReader(test.given))
			if err != nil {
				t.Fatal(err)
			}
			wantVerdict(t, ProvisioningCounted(found, "c", calls, twice), test.want, test.says...)
		})
	}
	wantVerdict(t, ProvisioningCounted(nil, "c", answered("INTERNAL", 0), twice), notYet)
}
