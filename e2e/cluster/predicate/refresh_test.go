// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestWhatTheProvisionerDoes(t *testing.T) {
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	after := func(seconds ...int) []trace.Call {
		var calls []trace.Call
		for _, s := range seconds {
			calls = append(calls, trace.Call{Method: "CreateVolume", Time: began.Add(time.Duration(s) * time.Second)})
		}
		return calls
	}
	object := func(segment Segment) storagev1.CSIStorageCapacity {
		return storagev1.CSIStorageCapacity{NodeTopology: &metav1.LabelSelector{MatchLabels: segment}}
	}
	pod := &corev1.Pod{Spec: corev1.PodSpec{NodeName: "w1"}}
	for _, test := range []struct {
		name  string
		given error
		want  string
	}{
		{"an object for each", OneObjectPerSegment([]storagev1.CSIStorageCapacity{object(z3), object(z2)}, z2, z3), satisfied},
		{"none wanted, none there", OneObjectPerSegment(nil), satisfied},
		{"one too few", OneObjectPerSegment([]storagev1.CSIStorageCapacity{object(z2)}, z2, z3), differs},
		{"two for one", OneObjectPerSegment([]storagev1.CSIStorageCapacity{object(z2), object(z2)}, z2), differs},
		{"an object for no nodes", OneObjectPerSegment([]storagev1.CSIStorageCapacity{{}}, z2), differs},
		{"one call", NotHurried(after(0), time.Second), notYet},
		{"calls a second apart", NotHurried(after(0, 1, 2), time.Second), satisfied},
		{"calls at once", NotHurried(after(0, 0, 0, 1), time.Second), forGood},
		{"begins with it", Begins("preferred", in("b", "a"), Segment{"zone": "b"}), satisfied},
		{"begins with another", Begins("preferred", in("a", "b"), Segment{"zone": "b"}), forGood},
		{"begins with nothing", Begins("preferred", nil, Segment{"zone": "b"}), forGood},
		{"kept", Kept([]string{"", "w1"}, "w1"), satisfied},
		{"taken back", Kept([]string{"w1", ""}, "w1"), forGood},
		{"another", Kept([]string{"w2"}, "w1"), notYet},
		{"no call", NotAsked(nil), satisfied},
		{"a call", NotAsked(after(0)), forGood},
		{"two calls", AskedTimes(2)(after(0, 1)), satisfied},
		{"a call of two", AskedTimes(2)(after(0)), notYet},
		{"first one of these", SelectedFirst([]string{"", "w1", "", "w2"}, []string{"w1"}), satisfied},
		{"first another", SelectedFirst([]string{"", "w2", "", "w1"}, []string{"w1"}), differs},
		{"none selected", SelectedFirst([]string{""}, []string{"w1"}), differs},
		{"final no more", NotYet(NotAsked(after(0))), differs},
		{"nothing to soften", NotYet(nil), satisfied},
		{"on one of these", PodOn(pod, []string{"w1", "w2"}), satisfied},
		{"on another", PodOn(pod, []string{"w2"}), differs},
	} {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, test.given, test.want) })
	}
}

func TestCapacityCalls(t *testing.T) {
	ask := func(method, request string) trace.Call {
		return trace.Call{Method: method, Request: json.RawMessage(request)}
	}
	calls := []trace.Call{
		ask(csi.Controller_GetCapacity_FullMethodName, `{"accessible_topology":{"segments":{"zone":"a"}}}`),
		ask(csi.Controller_GetCapacity_FullMethodName, `{"accessible_topology":{"segments":{"zone":"b"}}}`),
		ask(csi.Controller_GetCapacity_FullMethodName, `{}`),
		ask(csi.Controller_CreateVolume_FullMethodName, `{"accessible_topology":{"segments":{"zone":"a"}}}`),
	}
	if got := CapacityCalls(calls, Segment{"zone": "a"}); len(got) != 1 {
		t.Errorf("got %v, want the first call", got)
	}
}
