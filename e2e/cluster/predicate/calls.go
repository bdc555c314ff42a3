// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// CallsFor returns the calls whose request names the volume.
func CallsFor(calls []trace.Call, volumeID string) []trace.Call {
	return slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool {
		var request struct {
			ID string `json:"volume_id"`
		}
		return json.Unmarshal(call.Request, &request) != nil || request.ID != volumeID
	})
}

// CallsAbout returns the calls whose request names the snapshot by its id.
func CallsAbout(calls []trace.Call, snapshotID string) []trace.Call {
	return slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool { return Snapshots().named(call) != snapshotID })
}

// CallsOf returns the calls with this method, such as NodeStageVolume.
func CallsOf(calls []trace.Call, method string) []trace.Call {
	return slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool { return path.Base(call.Method) != method })
}

// Called requires a call of the method.
func Called(calls []trace.Call, method string) error {
	if len(CallsOf(calls, method)) == 0 {
		return fmt.Errorf("no call of %s was recorded among %d", method, len(calls))
	}
	return nil
}

// AskedFor requires each call of these methods to have asked for the access mode, and at least one call to have been made.
func AskedFor(mode string, calls []trace.Call, methods ...string) error {
	var asked []trace.Call
	for _, method := range methods {
		asked = append(asked, CallsOf(calls, method)...)
	}
	if len(asked) == 0 {
		return fmt.Errorf("no call of %s was recorded among %d", strings.Join(methods, ", "), len(calls))
	}
	type capability struct {
		AccessMode struct{ Mode string } `json:"access_mode"`
	}
	for _, call := range asked {
		var request struct {
			One  *capability  `json:"volume_capability"`
			Many []capability `json:"volume_capabilities"`
		}
		if err := json.Unmarshal(call.Request, &request); err != nil {
			return fmt.Errorf("reading the request of %s: %w", call.Method, err)
		}
		if request.One != nil {
			request.Many = append(request.Many, *request.One)
		}
		for _, found := range request.Many {
			if found.AccessMode.Mode != mode {
				return finalMismatch("access_mode of "+path.Base(call.Method), mode, found.AccessMode.Mode)
			}
		}
	}
	return nil
}

// AnsweredAs requires at least the given number of calls to have been answered with the code, such as OUT_OF_RANGE.
func AnsweredAs(code string, least int) func([]trace.Call) error {
	return func(calls []trace.Call) error {
		answers := 0
		var last string
		for _, call := range calls {
			if call.Code == code {
				answers++
			}
			last = fmt.Sprintf(", the last %s: %s", call.Code, call.Message)
		}
		if answers < least {
			return fmt.Errorf("%d of %d calls were answered with %s, want %d%s", answers, len(calls), code, least, last)
		}
		return nil
	}
}

// ProbedAlone requires Probe to have been called the given number of times, and nothing else.
func ProbedAlone(times int) func([]trace.Call) error {
	return func(calls []trace.Call) error {
		for _, call := range calls {
			if method := path.Base(call.Method); method != "Probe" {
				return finalMismatch("calls while the driver is not ready", "Probe alone", method+" at "+clock(call.Time))
			}
		}
		return AskedTimes(times)(calls)
	}
}
