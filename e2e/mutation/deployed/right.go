// SPDX-License-Identifier: Apache-2.0

package deployed

import (
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Right returns drivers that conform to the specification, and whose answers reach Kubernetes late, or only after
// repetitions: no case may fail or end as an error for them. The rules leave a call alone if a case answers it for the
// driver.
func Right() []Driver {
	const slow, slower = 500 * time.Millisecond, 2 * time.Second
	return []Driver{
		{ID: "slow", Text: "takes two seconds for each call that changes a volume, and half a second on nodes",
			Rules: both(controller(unusual(changes(), func(r *trace.Rule) { r.Delay = trace.Duration(slower) })...),
				node(unusual(onNodes(), func(r *trace.Rule) { r.Delay = trace.Duration(slow) })...))},
		{ID: "loses_answers", Text: "is UNAVAILABLE to each third call that changes something, after it has done so",
			Rules: everyThird(func(r *trace.Rule) {
				r.Code, r.Message, r.Forward = "UNAVAILABLE", "the connection to the storage was lost", true
			})},
		{ID: "busy", Text: "answers ABORTED to each third call that changes something, and does nothing then",
			Rules: everyThird(func(r *trace.Rule) { r.Code, r.Message = "ABORTED", "an operation is pending" })},
	}
}

// changes returns the calls to the controller that change something, and onNodes the calls to node plugins.
func changes() []string {
	return []string{"CreateVolume", "DeleteVolume", "ControllerPublishVolume", "ControllerUnpublishVolume", "ControllerExpandVolume",
		"CreateSnapshot", "DeleteSnapshot"}
}

func onNodes() []string {
	return []string{"NodeStageVolume", "NodeUnstageVolume", "NodePublishVolume", "NodeUnpublishVolume", "NodeExpandVolume"}
}

// unusual returns rules for these methods, if no other rule applies.
func unusual(methods []string, change func(*trace.Rule)) []trace.Rule {
	rules := make([]trace.Rule, 0, len(methods))
	for _, method := range methods {
		r := trace.Rule{ID: "unusual-" + method, Method: method, Otherwise: true}
		change(&r)
		rules = append(rules, r)
	}
	return rules
}

func everyThird(change func(*trace.Rule)) harness.Rules {
	const third = 3
	each := func(r *trace.Rule) { r.Every = third; change(r) }
	return harness.Rules{Controller: unusual(changes(), each), Node: unusual(onNodes(), each)}
}
