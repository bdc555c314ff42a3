// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func answered(code string, at ...float64) []trace.Call {
	var calls []trace.Call
	for _, second := range at {
		calls = append(calls, trace.Call{Method: "/csi.v1.Controller/DeleteVolume", Code: code, Time: time.Unix(0, int64(second*1e9)), Seconds: 0.1})
	}
	return calls
}

func TestRepeatedAfterFailures(t *testing.T) {
	wantVerdict(t, RepeatedAfterFailures(3)(answered("INTERNAL", 0, 1, 3)), satisfied)
	wantVerdict(t, RepeatedAfterFailures(3)(answered("INTERNAL", 0, 1)), differs, "2 times")
	wantVerdict(t, RepeatedAfterFailures(3)(nil), notYet)
}

func TestRepeatedUntilOK(t *testing.T) {
	failed := answered("INTERNAL", 0, 1, 3)
	wantVerdict(t, RepeatedUntilOK(append(failed, answered(codeOK, 7)...)), satisfied)
	wantVerdict(t, RepeatedUntilOK(failed), differs, "3 calls", "INTERNAL")
	wantVerdict(t, RepeatedUntilOK(append(failed, answered(codeOK, 7, 8)...)), satisfied)
	wantVerdict(t, RepeatedUntilOK(nil), notYet)
}

func TestPausesDouble(t *testing.T) {
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1, 3.2, 7.3), time.Second), satisfied)
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 5, 8), time.Second), satisfied)
	wantVerdict(t, PausesDouble(append(answered("INTERNAL", 0, 1.1, 3.2), answered(codeOK, 7.3, 7.5)...), time.Second), satisfied)
	wantVerdict(t, PausesDouble(append(answered("INTERNAL", 0, 1.1, 3.2), answered(codeOK, 5.3)...), time.Second), forGood, "call 4")
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1, 2.2), time.Second), forGood, "call 3")
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 0.2, 5), time.Second), forGood, "call 2")
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1, 3.2, 5.3), time.Second), forGood, "call 4")
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1), time.Second), notYet)
}
