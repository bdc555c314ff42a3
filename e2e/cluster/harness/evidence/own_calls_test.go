// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestOwnCalls(t *testing.T) {
	call := func(method, request, response string) trace.Call {
		return trace.Call{Method: "/csi.v1.Controller/" + method, Request: json.RawMessage(request), Response: json.RawMessage(response)}
	}
	calls := []trace.Call{
		call("GetCapacity", `{}`, `{"available_capacity":1}`),
		call("CreateVolume", `{"name":"pvc-other"}`, `{"volume":{"volume_id":"9"}}`),
		call("CreateVolume", `{"name":"pvc-1"}`, `{"volume":{"volume_id":"1"}}`),
		call("CreateVolume", `{"name":"case-x-fills-Z2-0"}`, `{"volume":{"volume_id":"2"}}`),
		call("ControllerPublishVolume", `{"volume_id":"9"}`, `{}`),
		call("ControllerPublishVolume", `{"volume_id":"1"}`, `{}`),
		call("CreateSnapshot", `{"source_volume_id":"1","name":"s"}`, `{"snapshot":{"snapshot_id":"s1"}}`),
		call("DeleteSnapshot", `{"snapshot_id":"s1"}`, `{}`),
		call("DeleteVolume", `{"volume_id":"2"}`, `{}`),
		{Method: "/csi.v1.Unknown/Call"},
	}
	want := []trace.Call{calls[2], calls[3], calls[5], calls[6], calls[7], calls[8]}
	same := func(a, b trace.Call) bool { return a.Method == b.Method && string(a.Request) == string(b.Request) }
	if got := OwnCalls(calls, []string{"pvc-1"}, "case-x"); !slices.EqualFunc(got, want, same) {
		t.Errorf("got %v, want %v", got, want)
	}
}
