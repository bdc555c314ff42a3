// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// CallsFor are those of the calls whose request names the volume.
func CallsFor(calls []trace.Call, volumeID string) []trace.Call {
	return slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool {
		var request struct {
			ID string `json:"volume_id"`
		}
		return json.Unmarshal(call.Request, &request) != nil || request.ID != volumeID
	})
}

// CallsOf are those of the calls with this method, such as NodeStageVolume.
func CallsOf(calls []trace.Call, method string) []trace.Call {
	return slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool { return path.Base(call.Method) != method })
}

// Called wants a call of the method.
func Called(calls []trace.Call, method string) error {
	if len(CallsOf(calls, method)) == 0 {
		return fmt.Errorf("no call of %s was recorded among %d", method, len(calls))
	}
	return nil
}

// AnsweredAs wants calls of which at least so many were answered with the code, named as in OUT_OF_RANGE.
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
