// SPDX-License-Identifier: Apache-2.0

package deployed

import (
	"encoding/json"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Driver is a driver that is wrong in one way, or a csi-provisioner that is, for the cases that grade it.
type Driver struct {
	// ID names it, and Text describes what it does.
	ID, Text string
	// Rules make it of a right one.
	Rules harness.Rules
	// Caught lists the ids of the cases that must fail for it, or warn about it.
	Caught []string
	// Clauses lists the clauses by which they must do so, space separated.
	Clauses string
}

// Drivers returns all of them. The topologies in what they answer are segments of the cluster.
func Drivers() []Driver {
	return slices.Concat(placement(), capacity(), lifecycle(), block(), mounting(), provisioner(), source())
}

func rule(method string, change func(*trace.Rule)) trace.Rule {
	r := trace.Rule{ID: "wrong-" + method, Method: method}
	change(&r)
	return r
}

func asking(method, change string) trace.Rule {
	return rule(method, func(r *trace.Rule) { r.PatchRequest = json.RawMessage(change) })
}

func answering(method, change string) trace.Rule {
	return rule(method, func(r *trace.Rule) { r.Patch = json.RawMessage(change) })
}

func instead(method, answer string) trace.Rule {
	return rule(method, func(r *trace.Rule) { r.Answer = json.RawMessage(answer) })
}

func refusing(method, code string) trace.Rule {
	return rule(method, func(r *trace.Rule) { r.Code, r.Message = code, "said by a wrong driver" })
}

func controller(rules ...trace.Rule) harness.Rules { return harness.Rules{Controller: rules} }

func node(rules ...trace.Rule) harness.Rules { return harness.Rules{Node: rules} }

func both(controller, node harness.Rules) harness.Rules {
	return harness.Rules{Controller: controller.Controller, Node: node.Node}
}
