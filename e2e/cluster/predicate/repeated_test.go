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
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1, 3.2, 7.3), time.Second, time.Minute), satisfied)
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 5, 8), time.Second, time.Minute), satisfied)
	wantVerdict(t, PausesDouble(append(answered("INTERNAL", 0, 1.1, 3.2), answered(codeOK, 7.3, 7.5)...), time.Second, time.Minute), satisfied)
	wantVerdict(t, PausesDouble(append(answered("INTERNAL", 0, 1.1, 3.2), answered(codeOK, 5.3)...), time.Second, time.Minute), forGood, "call 4")
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1, 2.2), time.Second, time.Minute), forGood, "call 3")
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 0.2, 5), time.Second, time.Minute), forGood, "call 2")
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1, 3.2, 5.3), time.Second, time.Minute), forGood, "call 4")
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1), time.Second, time.Minute), notYet)
}

func TestPausesDoubleUpToTheLimit(t *testing.T) {
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1, 3.2, 5.3, 7.4), time.Second, 2*time.Second), satisfied)
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1, 3.2, 4.3), time.Second, 2*time.Second), forGood, "call 4")
	wantVerdict(t, PausesDouble(answered("INTERNAL", 0, 1.1, 2.2, 3.3), time.Second, time.Second), satisfied)
}

func TestPausesBegin(t *testing.T) {
	wantVerdict(t, PausesBegin(answered("INTERNAL", 0, 0.2, 0.5, 2), time.Second), satisfied)
	wantVerdict(t, PausesBegin(answered("INTERNAL", 0, 3, 3.2, 9), time.Second), satisfied)
	wantVerdict(t, PausesBegin(answered("INTERNAL", 0, 1.1, 2.2, 2.3), time.Second), forGood, "1s")
	wantVerdict(t, PausesBegin(answered("INTERNAL", 0, 0.2), time.Second), notYet)
}

func TestPausesEnd(t *testing.T) {
	wantVerdict(t, PausesEnd(answered("INTERNAL", 0, 1.1, 3.2, 5.3, 7.4), 2*time.Second), satisfied)
	wantVerdict(t, PausesEnd(answered("INTERNAL", 0, 9, 11, 20), 2*time.Second), satisfied)
	wantVerdict(t, PausesEnd(answered("INTERNAL", 0, 1, 6, 15, 32), 2*time.Second), forGood, "16.9s")
	wantVerdict(t, PausesEnd(append(answered("INTERNAL", 0, 1, 3), answered(codeOK, 5, 5.1)...), 2*time.Second), satisfied)
	wantVerdict(t, PausesEnd(answered("INTERNAL", 0, 9, 18), 2*time.Second), notYet)
	wantVerdict(t, PausesEnd(nil, 2*time.Second), notYet)
}

func TestCancelledAfter(t *testing.T) {
	call := func(code string, seconds float64) trace.Call {
		return trace.Call{Method: "/csi.v1.Controller/CreateVolume", Code: code, Seconds: seconds}
	}
	judge := CancelledAfter(3*time.Second, 2)
	for _, test := range []struct {
		name  string
		calls []trace.Call
		want  string
	}{
		{"both", []trace.Call{call("CANCELED", 3), call("DEADLINE_EXCEEDED", 3.1), call("OK", 0.1)}, satisfied},
		{"one so far", []trace.Call{call("CANCELED", 3)}, notYet},
		{"none so far", nil, notYet},
		{"sent late", []trace.Call{call("CANCELED", 3), call("CANCELED", 1.6)}, satisfied},
		{"too early", []trace.Call{call("CANCELED", 3), call("CANCELED", 1)}, forGood},
		{"too late", []trace.Call{call("CANCELED", 10)}, forGood},
		{"never", []trace.Call{call("OK", 20)}, forGood},
	} {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, judge(test.calls), test.want) })
	}
}

func TestRepeatedSlowly(t *testing.T) {
	usual := answered("INTERNAL", 0, 1, 3, 7)
	wantVerdict(t, RepeatedSlowly(answered("INVALID_ARGUMENT", 0), usual), satisfied)
	wantVerdict(t, RepeatedSlowly(answered("INVALID_ARGUMENT", 0, 6), usual), satisfied)
	wantVerdict(t, RepeatedSlowly(answered("INVALID_ARGUMENT", 0, 1, 3), usual), forGood, "2 at most", "3")
	wantVerdict(t, RepeatedSlowly(nil, usual), notYet)
	wantVerdict(t, RepeatedSlowly(answered("INVALID_ARGUMENT", 0), usual[:1]), notYet)
}

func TestFewerAttempts(t *testing.T) {
	refused := func(times int) []trace.Call {
		return append(make([]trace.Call, times), trace.Call{Code: codeOK}, trace.Call{Code: codeOK})
	}
	wantVerdict(t, FewerAttempts(refused(0), refused(1)), satisfied)
	wantVerdict(t, FewerAttempts(refused(0), make([]trace.Call, 3)), satisfied)
	wantVerdict(t, FewerAttempts(refused(1), refused(1)), forGood, "fewer than 2", "2")
	wantVerdict(t, FewerAttempts(refused(2), refused(1)), forGood)
	wantVerdict(t, FewerAttempts(refused(0), refused(0)), notYet)
	wantVerdict(t, FewerAttempts(make([]trace.Call, 1), refused(1)), notYet)
	wantVerdict(t, FewerAttempts(nil, refused(1)), notYet)
}
