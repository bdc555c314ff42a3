// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// aGroup returns the calls for a group of two snapshots, among calls for others.
func aGroup() []trace.Call {
	var calls []trace.Call
	for _, c := range [][3]string{
		{"CreateVolumeGroupSnapshot", `{"name":"group","source_volume_ids":["w","v"]}`, `{"group_snapshot":{"group_snapshot_id":"g"}}`},
		{"CreateVolumeGroupSnapshot", `{"name":"another","source_volume_ids":["x"]}`, `{"group_snapshot":{"group_snapshot_id":"h"}}`},
		{"GetVolumeGroupSnapshot", `{"group_snapshot_id":"g","snapshot_ids":["a","b"]}`, `{}`},
		{"DeleteSnapshot", `{"snapshot_id":"z"}`, `{}`},
		{"DeleteVolumeGroupSnapshot", `{"group_snapshot_id":"h","snapshot_ids":["y"]}`, `{}`},
		{"DeleteVolumeGroupSnapshot", `{"group_snapshot_id":"g","snapshot_ids":["b","a"]}`, `{}`},
	} {
		calls = append(calls, trace.Call{Method: "/csi.v1.GroupController/" + c[0], Request: []byte(c[1]), Response: []byte(c[2]), Code: codeOK})
	}
	return calls
}

func TestGroupContent(t *testing.T) {
	content := func(answered ...string) *unstructured.Unstructured {
		var infos []any
		for _, volume := range answered {
			infos = append(infos, map[string]any{"volumeHandle": volume})
		}
		return &unstructured.Unstructured{Object: map[string]any{
			"spec":   map[string]any{"source": map[string]any{"volumeHandles": []any{"v", "w"}}},
			"status": map[string]any{"volumeSnapshotInfoList": infos},
		}}
	}
	wantVerdict(t, GroupAnswered(content("w", "v")), satisfied)
	wantVerdict(t, GroupAnswered(content("w", "w")), forGood, `["v" "w"]`, `["w" "w"]`)
	wantVerdict(t, GroupAnswered(content("w")), forGood)
	wantVerdict(t, GroupAnswered(content("w", "v", "x")), forGood)
	wantVerdict(t, GroupOf(content(), []string{"w", "v"}), satisfied)
	wantVerdict(t, GroupOf(content(), []string{"w", "v", "x"}), forGood)
	wantVerdict(t, GroupOf(content(), []string{"w"}), forGood)
}

func TestGroupCalls(t *testing.T) {
	const create, get, remove = 0, 2, 5
	change := func(at int, from, to string) func([]trace.Call) []trace.Call {
		return func(calls []trace.Call) []trace.Call {
			calls[at].Request = []byte(strings.Replace(string(calls[at].Request), from, to, 1))
			return calls
		}
	}
	for _, test := range []struct {
		name   string
		change func([]trace.Call) []trace.Call
		want   string
	}{
		{"as it is to be", func(calls []trace.Call) []trace.Call { return calls }, ""},
		{"a failure before", func(calls []trace.Call) []trace.Call {
			failed := calls[remove]
			failed.Code = "INTERNAL"
			return slices.Insert(calls, remove, failed)
		}, ""},
		{"without a volume", change(create, `"w",`, ``), "made"},
		{"with another volume", change(create, `"w"`, `"w","x"`), "made"},
		{"never made", func(calls []trace.Call) []trace.Call { return calls[create+1:] }, "made"},
		{"deleted without a snapshot", change(remove, `"b",`, ``), "deleted"},
		{"never deleted", func(calls []trace.Call) []trace.Call { return calls[:remove] }, "deleted"},
		{"not deleted", func(calls []trace.Call) []trace.Call { calls[remove].Code = "INTERNAL"; return calls }, "deleted"},
		{"a snapshot deleted alone", change(get+1, `"z"`, `"a"`), "alone"},
	} {
		t.Run(test.name, func(t *testing.T) {
			calls := GroupCallsOf(test.change(aGroup()), "g", []string{"a", "b"})
			var got []string
			for _, said := range []struct {
				name string
				err  error
			}{{"made", calls.Made([]string{"v", "w"})}, {"deleted", calls.Deleted([]string{"a", "b"})}, {"alone", calls.NoneAlone()}} {
				if said.err != nil {
					got = append(got, said.name)
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if got := len(GroupCallsOf(aGroup(), "g", nil).All()); got != 3 {
		t.Errorf("%d calls for the group, want 3", got)
	}
}

func TestGroupReady(t *testing.T) {
	member := func(ready bool) unstructured.Unstructured {
		return unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"readyToUse": ready}}}
	}
	for _, test := range []struct {
		members []unstructured.Unstructured
		ready   bool
	}{
		{nil, false},
		{[]unstructured.Unstructured{member(true)}, false},
		{[]unstructured.Unstructured{member(true), member(false)}, false},
		{[]unstructured.Unstructured{member(true), member(true)}, true},
		{[]unstructured.Unstructured{member(true), member(true), member(true)}, false},
	} {
		if err := GroupReady("group", test.members, 2); (err == nil) != test.ready {
			t.Errorf("%s: got %v, want ready %t", fmt.Sprint(test.members), err, test.ready)
		}
	}
}

func TestGroupNoticed(t *testing.T) {
	for _, test := range []struct {
		object  map[string]any
		noticed bool
	}{
		{map[string]any{}, false},
		{map[string]any{"status": map[string]any{"readyToUse": false}}, true},
		{map[string]any{"metadata": map[string]any{"annotations": map[string]any{"groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-created": "yes"}}}, true},
	} {
		if err := GroupNoticed(&unstructured.Unstructured{Object: test.object}); (err == nil) != test.noticed {
			t.Errorf("%v: got %v, want noticed %t", test.object, err, test.noticed)
		}
	}
}

func TestUngrouped(t *testing.T) {
	for message, refused := range map[string]bool{
		"": false,
		"rpc error: code = FailedPrecondition desc = they are in two pools": true,
		"rpc error: code = Internal desc = no":                              false,
	} {
		object := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"error": map[string]any{"message": message}}}}
		if got := Ungrouped(object); (got != "") != refused {
			t.Errorf("%q: got %q, want refused %t", message, got, refused)
		}
	}
}
