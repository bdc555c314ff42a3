// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// aLife returns a correct life of a volume that two pods use: a call every second, each taking half a second.
func aLife() []trace.Call {
	const (
		use    = `"volume_id":"v","volume_capability":{"mount":{}},"staging_target_path":"/staging","publish_context":{"lun":"1"},"volume_context":{"pool":"a"}`
		attach = `"volume_id":"v","node_id":"n"`
	)
	var calls []trace.Call
	for i, c := range [][3]string{
		{"ControllerPublishVolume", `{` + attach + `,"volume_context":{"pool":"a","storage.kubernetes.io/csiProvisionerIdentity":"1"}}`, `{"publish_context":{"lun":"1"}}`},
		{"NodeStageVolume", `{` + use + `}`, `{}`},
		{"NodePublishVolume", `{` + use + `,"target_path":"/pods/one/mount"}`, `{}`},
		{"NodePublishVolume", `{` + use + `,"target_path":"/pods/two/mount"}`, `{}`},
		{"NodeUnpublishVolume", `{"volume_id":"v","target_path":"/pods/one/mount"}`, `{}`},
		{"NodeUnpublishVolume", `{"volume_id":"v","target_path":"/pods/two/mount"}`, `{}`},
		{"NodeUnstageVolume", `{"volume_id":"v","staging_target_path":"/staging"}`, `{}`},
		{"ControllerUnpublishVolume", `{` + attach + `}`, `{}`},
		{"DeleteVolume", `{"volume_id":"v"}`, `{}`},
	} {
		calls = append(calls, trace.Call{
			Method: "/csi.v1.Any/" + c[0], Request: []byte(c[1]), Response: []byte(c[2]), Code: codeOK,
			Time: time.Unix(int64(i), 0), Seconds: 0.5,
		})
	}
	return calls
}

// TestLife checks that a violation of each part of each clause is found, in a life that differs only in that.
func TestLife(t *testing.T) {
	const attach, stage, publishOne, publishTwo, unpublishOne, unpublishTwo, unstage, detach, remove = 0, 1, 2, 3, 4, 5, 6, 7, 8
	change := func(at int, from, to string) func([]trace.Call) []trace.Call {
		return func(calls []trace.Call) []trace.Call {
			request := strings.Replace(string(calls[at].Request), from, to, 1)
			if request == string(calls[at].Request) {
				panic("nothing changed in " + request)
			}
			calls[at].Request = []byte(request)
			return calls
		}
	}
	move := func(at int, seconds float64) func([]trace.Call) []trace.Call {
		return func(calls []trace.Call) []trace.Call {
			calls[at].Time = time.Unix(0, int64(seconds*1e9))
			return calls
		}
	}
	for _, test := range []struct {
		name   string
		change func([]trace.Call) []trace.Call
		want   []string
	}{
		{"as it is to be", func(calls []trace.Call) []trace.Call { return calls }, nil},
		{"in another order in the list", func(calls []trace.Call) []trace.Call { slices.Reverse(calls); return calls }, nil},
		{"a failure, and a repetition", func(calls []trace.Call) []trace.Call {
			failed := calls[stage]
			failed.Code, failed.Response, failed.Time = "INTERNAL", nil, failed.Time.Add(-200*time.Millisecond)
			failed.Seconds = 0.1
			return append(calls, failed)
		}, nil},
		{"an attachment that is repeated, and fails", func(calls []trace.Call) []trace.Call {
			failed := calls[attach]
			failed.Code, failed.Response, failed.Time = "ABORTED", nil, time.Unix(1, 0)
			return append(calls, failed)
		}, nil},
		{"attached to another node", change(attach, `"n"`, `"m"`), []string{"CP-10", "NI-08"}},
		{"attached with another context", change(attach, `"pool":"a"`, `"pool":"b"`), []string{"CP-19"}},
		{"attached for reading", change(attach, `"node_id"`, `"readonly":true,"node_id"`), []string{"CP-15"}},
		{"staged before it is attached", move(stage, 0.25), []string{"CP-02"}},
		{"published before it is staged", move(publishOne, 0.75), []string{"NS-03"}},
		{"published before it is attached", move(publishOne, 0.25), []string{"NS-12", "NS-03"}},
		{"staged without the publish context", change(stage, `"publish_context":{"lun":"1"},`, ``), []string{"CP-21", "CP-27"}},
		{"published with another publish context", change(publishTwo, `"lun":"1"`, `"lun":"2"`), []string{"CP-21", "CP-27"}},
		{"published with another context", change(publishTwo, `"pool":"a"`, `"pool":"b"`), []string{"CP-19"}},
		{"staged twice", func(calls []trace.Call) []trace.Call {
			again := calls[stage]
			again.Time = time.Unix(3, 500)
			return append(calls, again)
		}, []string{"NS-11"}},
		{"published from elsewhere", change(publishTwo, `/staging`, `/elsewhere`), []string{"NS-11", "NS-35"}},
		{"unstaged from elsewhere", change(unstage, `/staging`, `/elsewhere`), []string{"NS-11", "NS-35", "NS-36"}},
		{"staged at a second path, which fails", func(calls []trace.Call) []trace.Call {
			failed := calls[stage]
			failed.Code, failed.Response, failed.Time, failed.Seconds = "INTERNAL", nil, failed.Time.Add(500*time.Millisecond), 0.1
			failed.Request = []byte(strings.Replace(string(failed.Request), `/staging`, `/elsewhere`, 1))
			return append(calls, failed)
		}, []string{"NS-11", "NS-35"}},
		{"staged at a relative path", func(calls []trace.Call) []trace.Call {
			for i := range calls {
				calls[i].Request = []byte(strings.Replace(string(calls[i].Request), `/staging`, `staging`, 1))
			}
			return calls
		}, []string{"NS-34"}},
		{"unpublished at a relative path, after an absolute one", func(calls []trace.Call) []trace.Call {
			again := calls[unpublishOne]
			again.Request = []byte(strings.Replace(string(again.Request), `/pods`, `pods`, 1))
			return append(calls, again)
		}, []string{"NS-34"}},
		{"published in two ways", change(publishTwo, `"mount":{}`, `"mount":{"fs_type":"xfs"}`), []string{"NS-37"}},
		{"unstaged while it is published", move(unstage, 4.75), []string{"NS-08", "NS-11"}},
		{"published at one path for both", change(publishTwo, "/pods/two", "/pods/one"), []string{"NS-35"}},
		{"never unpublished from one path", change(unpublishTwo, "/pods/two", "/pods/one"), []string{"NS-08", "NS-36"}},
		{"detached while it is staged", move(detach, 6.25), []string{"CU-02", "NS-07"}},
		{"detached while it is published", move(detach, 5.25), []string{"CU-02", "NS-17", "CU-02", "NS-07"}},
		{"detached from another node", change(detach, `"n"`, `"m"`), []string{"CU-09"}},
		{"deleted while it is attached", move(remove, 7.25), []string{"K8S-I2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			life := Life{NodeID: "n", Context: map[string]string{"pool": "a"}, Attaches: true, Stages: true, Uses: []string{"one", "two"}}
			clauses, err := life.Judge(test.change(aLife()))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, clause := range clauses {
				if clause.Err != nil {
					wantVerdict(t, clause.Err, forGood)
					got = append(got, clause.Requirement)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("contradicts %q, want %q: %v", got, test.want, clauses)
			}
		})
	}
	for i := range aLife() {
		calls := slices.Delete(aLife(), i, i+1)
		if i == publishOne || i == publishTwo || i == unpublishOne || i == unpublishTwo {
			continue // there is another
		}
		if _, err := (Life{Attaches: true, Stages: true}).Judge(calls); err == nil {
			t.Errorf("without %s: want an error", aLife()[i].Method)
		}
	}
	simple := slices.DeleteFunc(aLife(), func(c trace.Call) bool {
		return strings.Contains(c.Method, "tage") || strings.Contains(c.Method, "Controller")
	})
	for i := range simple {
		simple[i].Request = []byte(strings.Replace(string(simple[i].Request), `"staging_target_path":"/staging","publish_context":{"lun":"1"},`, "", 1))
	}
	clauses, err := Life{Context: map[string]string{"pool": "a"}, Uses: []string{"one", "two"}}.Judge(simple)
	if err != nil || slices.ContainsFunc(clauses, func(c Clause) bool { return c.Err != nil }) {
		t.Errorf("a driver without calls for attaching and staging: %v, %v", clauses, fmt.Sprint(err))
	}
}

func TestReferredTo(t *testing.T) {
	volume := &corev1.PersistentVolume{Spec: corev1.PersistentVolumeSpec{PersistentVolumeSource: corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{VolumeHandle: "v"}}}}
	created := func(id string) []trace.Call {
		return []trace.Call{{Code: codeOK, Response: []byte(`{"volume":{"volume_id":"` + id + `"}}`)}}
	}
	if err := ReferredTo(volume, created("v")); err != nil {
		t.Error(err)
	}
	wantVerdict(t, ReferredTo(volume, created("w")), forGood)
}

func TestContextOfTheAnswerThatSucceeded(t *testing.T) {
	created := []trace.Call{
		{Code: "DEADLINE_EXCEEDED"},
		{Code: codeOK, Response: []byte(`{"volume":{"volume_context":{"pool":"a"}}}`)},
		{Code: "ABORTED"},
	}
	if got, err := ContextOf(created); err != nil || text(got) != `{"pool":"a"}` {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := ContextOf(created[:1]); err != nil || got != nil {
		t.Errorf("without a success: got %v, %v", got, err)
	}
}
