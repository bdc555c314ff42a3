// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestCalls(t *testing.T) {
	call := func(method, request string) trace.Call {
		return trace.Call{Method: "/csi.v1.Node/" + method, Request: []byte(request)}
	}
	stage, publish := call("NodeStageVolume", `{"volume_id":"a"}`), call("NodePublishVolume", `{"volume_id":"a"}`)
	all := []trace.Call{stage, call("NodeStageVolume", `{"volume_id":"b"}`), call("NodeGetInfo", `{}`), publish, call("NodeUnstageVolume", ``)}

	if got := CallsFor(all, "a"); len(got) != 2 || got[0].Method != stage.Method || got[1].Method != publish.Method {
		t.Errorf("for volume a got %v", got)
	}
	if got := CallsFor(all, "c"); len(got) != 0 {
		t.Errorf("for volume c got %v", got)
	}
	if got := CallsOf(all, "NodeStageVolume"); len(got) != 2 {
		t.Errorf("of NodeStageVolume got %v", got)
	}
	ofSnapshot := call("DeleteSnapshot", `{"snapshot_id":"s"}`)
	if got := CallsAbout(append(all, ofSnapshot, call("DeleteSnapshot", `{"snapshot_id":"t"}`)), "s"); len(got) != 1 || got[0].Method != ofSnapshot.Method {
		t.Errorf("about snapshot s got %v", got)
	}
	if len(all) != 5 || all[1].Method != stage.Method {
		t.Errorf("the calls themselves have changed: %v", all)
	}
	wantVerdict(t, Called(all, "NodePublishVolume"), satisfied)
	wantVerdict(t, Called(all, "PublishVolume"), notYet)
}

func TestAnsweredAs(t *testing.T) {
	calls := []trace.Call{{Code: "RESOURCE_EXHAUSTED"}, {Code: "RESOURCE_EXHAUSTED", Message: "no room"}}
	wantVerdict(t, AnsweredAs("RESOURCE_EXHAUSTED", 2)(calls), satisfied)
	wantVerdict(t, AnsweredAs("RESOURCE_EXHAUSTED", 3)(calls), notYet, "2 of 2")
	wantVerdict(t, AnsweredAs("OK", 1)(calls), notYet, "no room")
	wantVerdict(t, AnsweredAs("OK", 1)(nil), notYet)
}

func TestIsDevice(t *testing.T) {
	wantVerdict(t, IsDevice("pod-1", "device"), satisfied)
	wantVerdict(t, IsDevice("pod-1", "directory"), differs, "pod-1", "directory")
	wantVerdict(t, IsDevice("pod-1", ""), differs, "nothing")
}

func TestAskedFor(t *testing.T) {
	call := func(method, request string) trace.Call {
		return trace.Call{Method: "/csi.v1.Any/" + method, Request: []byte(request)}
	}
	const one = `{"volume_capability":{"access_mode":{"mode":"SINGLE_NODE_SINGLE_WRITER"}}}`
	made := call("CreateVolume", `{"volume_capabilities":[{"access_mode":{"mode":"SINGLE_NODE_SINGLE_WRITER"}}]}`)
	shared := call("NodePublishVolume", `{"volume_capability":{"access_mode":{"mode":"SINGLE_NODE_WRITER"}}}`)
	const mode = "SINGLE_NODE_SINGLE_WRITER"
	wantVerdict(t, AskedFor(mode, calls(made, call("NodePublishVolume", one)), "CreateVolume", "NodePublishVolume"), satisfied)
	wantVerdict(t, AskedFor(mode, calls(made, shared), "CreateVolume", "NodePublishVolume"), forGood, "SINGLE_NODE_WRITER")
	wantVerdict(t, AskedFor(mode, calls(made, shared), "CreateVolume"), satisfied)
	wantVerdict(t, AskedFor("SINGLE_NODE_WRITER", calls(made), "CreateVolume"), forGood)
	wantVerdict(t, AskedFor(mode, calls(made), "NodeStageVolume"), notYet)
}

func TestProbedAlone(t *testing.T) {
	probes := []trace.Call{{Method: "/csi.v1.Identity/Probe"}, {Method: "/csi.v1.Identity/Probe"}}
	wantVerdict(t, ProbedAlone(2)(probes), satisfied)
	wantVerdict(t, ProbedAlone(3)(probes), notYet)
	wantVerdict(t, ProbedAlone(3)(append(probes, trace.Call{Method: "/csi.v1.Identity/GetPluginInfo"})), forGood, "GetPluginInfo")
}
