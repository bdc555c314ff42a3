// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// RepeatedAfterFailures wants so many of the calls to have failed, each but the first after one that did.
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

// RepeatedUntilOK wants the calls, which failed first, to have been repeated until one was answered OK. One more may follow,
// of a caller that has not heard yet of what it wrote itself.
func RepeatedUntilOK(calls []trace.Call) error {
	if len(calls) == 0 {
		return errors.New("no call was made")
	}
	if last := calls[len(calls)-1]; last.Code != codeOK {
		return mismatch(path.Base(last.Method)+", which failed", "repeated until it is answered OK", fmt.Sprintf("%d calls, the last at %s answered %s", len(calls), clock(last.Time), last.Code))
	}
	return nil
}

// PausesDouble wants the pauses between calls that fail, up to the first that is answered OK, to be this long at first, and
// each twice as long as the one before: none may be shorter by more than a tenth, and how much longer it is, is a matter of
// how busy the caller is.
func PausesDouble(calls []trace.Call, first time.Duration) error {
	if len(calls) < 3 {
		return fmt.Errorf("%d calls were made: want 3 or more to compare their pauses", len(calls))
	}
	least := first - first/10
	for i := 1; i < len(calls); i++ {
		if pause := calls[i].Time.Sub(endOf(calls[i-1])); pause < least {
			return finalMismatch(fmt.Sprintf("pause before call %d of %s", i+1, path.Base(calls[i].Method)), least.String()+" or more", pause.String())
		}
		if calls[i].Code == codeOK {
			break
		}
		least *= 2
	}
	return nil
}
