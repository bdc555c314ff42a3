// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// RepeatedAfterFailures requires at least the given number of calls, all of which fail, to have been made.
func RepeatedAfterFailures(failures int) func([]trace.Call) error {
	return func(calls []trace.Call) error {
		if len(calls) == 0 {
			return errors.New("no call was made")
		}
		if len(calls) < failures {
			return mismatch(path.Base(calls[0].Method)+", which fails", fmt.Sprintf("made %d times", failures), fmt.Sprintf("%d times, first at %s", len(calls), clock(calls[0].Time)))
		}
		return nil
	}
}

// RepeatedUntilOK requires the calls, which failed first, to have been repeated until one was answered OK. One more may
// follow, from a caller that has not yet seen its own update.
func RepeatedUntilOK(calls []trace.Call) error {
	if len(calls) == 0 {
		return errors.New("no call was made")
	}
	if last := calls[len(calls)-1]; last.Code != codeOK {
		return mismatch(path.Base(last.Method)+", which failed", "repeated until it is answered OK", fmt.Sprintf("%d calls, the last at %s answered %s", len(calls), clock(last.Time), last.Code))
	}
	return nil
}

// PausesDouble requires the pauses between failing calls, up to the first that is answered OK, to begin at this length,
// and to double up to the limit. None may be shorter by more than a tenth; any may be longer, as a busy caller is late.
func PausesDouble(calls []trace.Call, first, limit time.Duration) error {
	if len(calls) < 3 {
		return fmt.Errorf("%d calls were made: want 3 or more to compare their pauses", len(calls))
	}
	want := first
	for i, pause := range pausesUntilOK(calls) {
		if least := want - want/10; pause < least {
			return finalMismatch(fmt.Sprintf("pause before call %d of %s", i+2, path.Base(calls[0].Method)), least.String()+" or more", pause.String())
		}
		want = min(2*want, limit)
	}
	return nil
}

// PausesBegin requires the pauses between failing calls to be far below the limit at first: the shorter of the first
// two is at most half as long.
func PausesBegin(calls []trace.Call, limit time.Duration) error {
	const first = 2
	pauses := pausesUntilOK(calls)
	if len(pauses) < first {
		return fmt.Errorf("%d pauses between calls: want %d or more", len(pauses), first)
	}
	pauses = pauses[:first]
	if shortest := slices.Min(pauses); shortest > limit/2 {
		return finalMismatch("first pauses between calls of "+path.Base(calls[0].Method), "far shorter than "+limit.String(), fmt.Sprint(pauses))
	}
	return nil
}

// PausesEnd requires the pauses between failing calls to stop growing at the limit: the shortest of the last three is at
// most twice as long as the limit. A busy caller makes some of the pauses too long, but not all.
func PausesEnd(calls []trace.Call, limit time.Duration) error {
	const last = 3
	pauses := pausesUntilOK(calls)
	if len(pauses) < last {
		return fmt.Errorf("%d pauses between calls: want %d or more", len(pauses), last)
	}
	pauses = pauses[len(pauses)-last:]
	if shortest := slices.Min(pauses); shortest > 2*limit {
		return finalMismatch("last pauses between calls of "+path.Base(calls[0].Method), "about "+limit.String(), fmt.Sprint(pauses))
	}
	return nil
}

// pausesUntilOK returns the pauses before each call but the first, up to the first that is answered OK.
func pausesUntilOK(calls []trace.Call) []time.Duration {
	var pauses []time.Duration
	for i := 1; i < len(calls) && calls[i-1].Code != codeOK; i++ {
		pauses = append(pauses, calls[i].Time.Sub(endOf(calls[i-1])))
	}
	return pauses
}

// CancelledAfter requires the first late calls, which are answered too late, to have been cancelled by the caller after the
// timeout: after at least half of it, as a busy caller sends a call late, and at most three times as long. Later calls are
// ignored.
func CancelledAfter(timeout time.Duration, late int) func([]trace.Call) error {
	return func(calls []trace.Call) error {
		for i, call := range calls[:min(late, len(calls))] {
			took := time.Duration(call.Seconds * float64(time.Second))
			givenUp := call.Code == "CANCELED" || call.Code == "DEADLINE_EXCEEDED"
			if !givenUp || took < timeout/2 || took > 3*timeout {
				return finalMismatch(fmt.Sprintf("call %d of %s, which is answered late", i+1, path.Base(call.Method)), "cancelled after "+timeout.String(),
					fmt.Sprintf("%s after %s", call.Code, took))
			}
		}
		return AskedTimes(late)(calls)
	}
}

// RepeatedSlowly requires the slow calls to have been made at most half as often as the usual calls, which began later.
func RepeatedSlowly(slow, usual []trace.Call) error {
	if len(slow) == 0 || len(usual) < 2 {
		return fmt.Errorf("%d calls were made that are to be repeated slowly, and %d others", len(slow), len(usual))
	}
	if most := len(usual) / 2; len(slow) > most {
		return finalMismatch("calls of "+path.Base(slow[0].Method)+" that are to be repeated slowly", fmt.Sprintf("%d at most, beside %d others", most, len(usual)), fmt.Sprint(len(slow)))
	}
	return nil
}

// FewerAttempts requires that with has fewer calls of CreateVolume than without, each up to the first that was answered OK.
// No attempt can be saved if the first attempt in without succeeded.
func FewerAttempts(with, without []trace.Call) error {
	few, many := attempts(with), attempts(without)
	if few == 0 || with[few-1].Code != codeOK {
		return fmt.Errorf("%d calls were made with it, and none was answered OK", few)
	}
	if many < 2 {
		return fmt.Errorf("%d calls were made without it: want 2 or more, so that some can be saved", many)
	}
	if few >= many {
		return finalMismatch("calls of CreateVolume", fmt.Sprintf("fewer than %d", many), fmt.Sprint(few))
	}
	return nil
}

func attempts(calls []trace.Call) int {
	ok := slices.IndexFunc(calls, func(call trace.Call) bool { return call.Code == codeOK })
	if ok < 0 {
		return len(calls)
	}
	return ok + 1
}
