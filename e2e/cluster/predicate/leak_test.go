// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// TestLeavesNothing checks that a violation of each part of LeavesNothing is found.
func TestLeavesNothing(t *testing.T) {
	at := func(second int64, method, request, response, code string) trace.Call {
		return trace.Call{
			Method: "/csi.v1.Controller/" + method, Request: []byte(request), Response: []byte(response), Code: code,
			Time: time.Unix(second, 0), Seconds: 0.5,
		}
	}
	create := func(second int64, id, code string) trace.Call {
		answer := ""
		if code == codeOK {
			answer = `{"volume":{"volume_id":"` + id + `"}}`
		}
		return at(second, "CreateVolume", `{"name":"pvc-1"}`, answer, code)
	}
	remove := func(second int64, id, code string) trace.Call {
		return at(second, "DeleteVolume", `{"volume_id":"`+id+`"}`, `{}`, code)
	}
	lost := create(1, "a", "UNAVAILABLE")
	lost.Injected = &trace.Injection{Forwarded: true, Response: []byte(`{"volume":{"volume_id":"a"}}`)}
	for _, test := range []struct {
		name  string
		calls []trace.Call
		want  string
	}{
		{"made and deleted", []trace.Call{create(1, "a", codeOK), remove(2, "a", codeOK)}, satisfied},
		{"asked again, made and deleted", []trace.Call{create(1, "a", "DEADLINE_EXCEEDED"), create(2, "a", codeOK), remove(3, "a", codeOK)}, satisfied},
		{"deleted at the second attempt", []trace.Call{create(1, "a", codeOK), remove(2, "a", "INTERNAL"), remove(3, "a", codeOK)}, satisfied},
		{"refused for good", []trace.Call{create(1, "a", "ABORTED"), create(2, "a", "INVALID_ARGUMENT")}, satisfied},
		{"not asked for", []trace.Call{at(1, "CreateVolume", `{"name":"pvc-2"}`, `{}`, codeOK)}, notYet},
		{"never asked again", []trace.Call{create(1, "a", "DEADLINE_EXCEEDED")}, differs},
		{"asked for, and the caller gone", []trace.Call{create(1, "a", codeOK), remove(2, "a", codeOK), create(3, "a", "CANCELED")}, differs},
		{"never deleted", []trace.Call{create(1, "a", codeOK)}, differs},
		{"another deleted", []trace.Call{create(1, "a", codeOK), remove(2, "b", codeOK)}, differs},
		{"deletion refused", []trace.Call{create(1, "a", codeOK), remove(2, "a", "INTERNAL")}, differs},
		{"made again after it was deleted", []trace.Call{create(1, "a", codeOK), remove(2, "a", codeOK), create(3, "a", codeOK)}, differs},
		{"made, and the answer lost", []trace.Call{lost, create(2, "b", codeOK), remove(3, "b", codeOK)}, differs},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, Volumes().LeavesNothing(test.calls, "pvc-1"), test.want)
		})
	}
	wantVerdict(t, Volumes().Known([]trace.Call{create(2, "a", codeOK), create(1, "a", "ABORTED")}, "pvc-1"), satisfied)
	wantVerdict(t, Volumes().Known([]trace.Call{create(1, "a", codeOK), create(2, "a", "ABORTED")}, "pvc-1"), differs, "2 calls")
	snapshot := at(1, "CreateSnapshot", `{"name":"snapshot-1"}`, `{"snapshot":{"snapshot_id":"s"}}`, codeOK)
	wantVerdict(t, Snapshots().LeavesNothing([]trace.Call{snapshot}, "snapshot-1"), differs, "DeleteSnapshot")
	removed := at(2, "DeleteSnapshot", `{"snapshot_id":"s"}`, `{}`, codeOK)
	wantVerdict(t, Snapshots().LeavesNothing([]trace.Call{snapshot, removed}, "snapshot-1"), satisfied)
}

func TestNotListed(t *testing.T) {
	wantVerdict(t, NotListed([]string{"a", "b"}, []string{"c"}), satisfied)
	wantVerdict(t, NotListed(nil, []string{"c"}), satisfied)
	wantVerdict(t, NotListed([]string{"a", "c"}, []string{"b", "c"}), differs, "c")
}
