// SPDX-License-Identifier: Apache-2.0

package report

import "testing"

func TestExitCode(t *testing.T) {
	for _, test := range []struct {
		name  string
		given Summary
		want  int
	}{
		{name: "all passed", given: Summary{Pass: 2}, want: 0},
		{name: "passed, warned and skipped", given: Summary{Pass: 1, Warn: 1, Skip: 3}, want: 0},
		{name: "only warned", given: Summary{Warn: 1}, want: 0},
		{name: "one failed", given: Summary{Pass: 2, Fail: 1}, want: 1},
		{name: "one could not tell", given: Summary{Pass: 2, Error: 1}, want: 2},
		{name: "one failed and one could not tell", given: Summary{Fail: 1, Error: 1}, want: 1},
		{name: "all that was exercised is waived", given: Summary{Skip: 3, Waived: 1}, want: 0},
		{name: "nothing was exercised", given: Summary{Skip: 3}, want: 2},
		{name: "there was nothing", given: Summary{}, want: 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := ExitCode(&ConformanceReport{Summary: test.given}); got != test.want {
				t.Errorf("want %d, got %d", test.want, got)
			}
		})
	}
}
