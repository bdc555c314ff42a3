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
