// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// CompareSegments orders topologies as the provisioner does.
func CompareSegments(a, b Segment) int { return strings.Compare(Canonical(a), Canonical(b)) }

// Asked requires a list of a TopologyRequirement to have exactly these topologies, in this order.
func Asked(list string, found []*csi.Topology, wanted ...Segment) error {
	names := make([]string, 0, len(wanted))
	for _, segment := range wanted {
		names = append(names, Canonical(segment))
	}
	if got := canonicals(found); !slices.Equal(got, names) {
		return finalMismatch(list+" of the request", strings.Join(names, "; "), strings.Join(got, "; "))
	}
	return nil
}

// EachAskedFor requires each call of CreateVolume to have asked for exactly this topology.
func EachAskedFor(calls []trace.Call, wanted Segment) error {
	for _, call := range calls {
		request := &csi.CreateVolumeRequest{}
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(call.Request, request); err != nil {
			return fmt.Errorf("reading the request of %s: %w", call.Method, err)
		}
		if err := Asked("requisite", request.GetAccessibilityRequirements().GetRequisite(), wanted); err != nil {
			return err
		}
	}
	return nil
}

// Rotated requires preferred to be a rotation of requisite.
func Rotated(requisite, preferred []*csi.Topology) error {
	wanted, got := canonicals(requisite), canonicals(preferred)
	for range wanted {
		if slices.Equal(got, wanted) {
			return nil
		}
		wanted = append(wanted[1:], wanted[0])
	}
	return finalMismatch("preferred of the request", "requisite, beginning at any of its topologies: "+strings.Join(wanted, "; "), strings.Join(got, "; "))
}

func canonicals(topologies []*csi.Topology) []string {
	names := make([]string, 0, len(topologies))
	for _, t := range topologies {
		names = append(names, Canonical(t.GetSegments()))
	}
	return names
}

// AskedAlike requires all calls to have sent the same request.
func AskedAlike(calls []trace.Call) error {
	for _, call := range calls[1:] {
		if string(call.Request) != string(calls[0].Request) {
			return finalMismatch(call.Method+", repeated", string(calls[0].Request), string(call.Request))
		}
	}
	return nil
}

// SelectedOnce requires the history of a claim's selected node to have one node, which was never removed.
func SelectedOnce(nodes []string) error {
	chosen := slices.DeleteFunc(slices.Clone(nodes), func(node string) bool { return node == "" })
	if len(chosen) != 1 || nodes[len(nodes)-1] == "" || len(nodes) > 2 {
		return finalMismatch("selected nodes", "one, which is kept", fmt.Sprintf("%q", nodes))
	}
	return nil
}

// AskedOnce requires a call to have been made.
func AskedOnce(calls []trace.Call) error {
	if len(calls) == 0 {
		return errors.New("no call was made")
	}
	return nil
}

// AskedUntilOK requires the driver to have answered the last call OK, after at least the given number of injected
// answers.
func AskedUntilOK(instead int) func([]trace.Call) error {
	return func(calls []trace.Call) error {
		injected := Injected(calls)
		if len(injected) < instead || calls[len(calls)-1].Code != codeOK || calls[len(calls)-1].Injected != nil {
			return fmt.Errorf("%d calls were made, %d of them answered for the driver", len(calls), len(injected))
		}
		return nil
	}
}

// Injected returns the calls that were answered by a rule.
func Injected(calls []trace.Call) []trace.Call {
	return slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool { return call.Injected == nil })
}

// codeOK is the code OK as calls record it.
const codeOK = "OK"

// FirstOK returns the first call that was answered OK by a rule, and whether there is one.
func FirstOK(calls []trace.Call) (trace.Call, bool) {
	at := slices.IndexFunc(calls, func(call trace.Call) bool { return call.Injected != nil && call.Code == codeOK })
	if at < 0 {
		return trace.Call{}, false
	}
	return calls[at], true
}

// Refused returns the calls that the driver itself refused, except with codes that only ask for a retry: after such a
// refusal the caller may do something else.
func Refused(calls []trace.Call) []trace.Call {
	return slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool {
		return call.Injected != nil || slices.Contains([]string{codeOK, "ABORTED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "CANCELED"}, call.Code)
	})
}

// NotAsked requires no call to have been made.
func NotAsked(calls []trace.Call) error {
	if len(calls) > 0 {
		return finalMismatch(calls[0].Method, "no call", fmt.Sprintf("%d calls, the first with %s", len(calls), calls[0].Request))
	}
	return nil
}

// OneLeads requires only one of the pods that do the same work to call the driver.
func OneLeads(asked []string) error {
	if len(asked) != 1 {
		return finalMismatch("pods that ask the driver at once", "the one that leads", fmt.Sprintf("%q", asked))
	}
	return nil
}

// ActsAgain requires that one of the pods that do the same work does it; pod is its name.
func ActsAgain(pod string) error {
	if pod == "" {
		return mismatch("pods of the sidecar", "one that repeats its call", "none")
	}
	return nil
}

// AskedTimes requires at least n calls to have been made.
func AskedTimes(n int) func([]trace.Call) error {
	return func(calls []trace.Call) error {
		if len(calls) < n {
			return fmt.Errorf("%d calls were made, want %d", len(calls), n)
		}
		return nil
	}
}

// SelectedFirst requires the first selected node in a claim's history to be one of these.
func SelectedFirst(nodes, first []string) error {
	chosen := slices.DeleteFunc(slices.Clone(nodes), func(node string) bool { return node == "" })
	if len(chosen) == 0 || !slices.Contains(first, chosen[0]) {
		return mismatch("selected nodes", "first one of "+strings.Join(first, ", "), historyText(nodes))
	}
	return nil
}

// NotYet turns a final mismatch into one that may go away.
func NotYet(err error) error {
	var found *Mismatch
	if errors.As(err, &found) {
		return mismatch(found.Subject, found.Wanted, found.Found)
	}
	return err
}
