// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// said is one call of a history: its answer (an id, or the word deleted, gone or nothing), and when it was
// made.
type said struct {
	ask, id     string
	from, until time.Duration
}

const (
	creates = "create"
	deletes = "delete"
	looks   = "look"
)

func TestHistoryOfName(t *testing.T) {
	const aborted = ""
	for _, c := range []struct {
		name           string
		calls          []said
		allowed, wrong bool // wrong reports that the answer is allowed and not recommended
	}{
		{"one volume for calls at once", []said{{creates, "x", 0, 2}, {creates, "x", 1, 3}}, true, false},
		{"two volumes for calls at once", []said{{creates, "x", 0, 2}, {creates, "y", 1, 3}}, true, true},
		{"two volumes for calls one after another", []said{{creates, "x", 0, 1}, {creates, "y", 2, 3}}, false, true},
		{"another volume after deletion", []said{{creates, "x", 0, 1}, {deletes, "x", 2, 3}, {creates, "y", 4, 5}}, true, false},
		{"the same volume after deletion", []said{{creates, "x", 0, 1}, {deletes, "x", 2, 3}, {creates, "x", 4, 5}}, true, false},
		{"another volume at once with the deletion", []said{{creates, "x", 0, 1}, {deletes, "x", 2, 5}, {creates, "y", 3, 4}, {looks, "y", 6, 7}}, false, true},
		{"gone after the deletion", []said{{creates, "x", 0, 1}, {creates, "x", 2, 5}, {deletes, "x", 3, 4}, {looks, "x", 6, 7}}, true, false},
		{"an attempt that was given up comes to something after its repetition and the deletion",
			[]said{{creates, aborted, 0, never}, {creates, "x", 2, 3}, {deletes, "x", 4, 5}, {creates, "y", 6, 7}, {creates, "y", 8, 9}}, true, false},
		{"an attempt that was given up explains one other volume",
			[]said{{creates, aborted, 0, never}, {creates, "x", 2, 3}, {creates, "y", 4, 5}}, true, true},
		{"an attempt that was given up explains no third volume",
			[]said{{creates, aborted, 0, never}, {creates, "x", 2, 3}, {creates, "y", 4, 5}, {creates, "z", 6, 7}}, false, true},
		{"a deletion that was given up happens later", []said{{creates, "x", 0, 1}, {deletes, aborted, 2, never}, {creates, "x", 4, 5}, {creates, "y", 6, 7}}, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := &named{history: newHistory[ids](&harness.Driver{Target: &harness.Target{}}, "a name", ""), creation: creates, deletion: deletes, lookup: looks, clause: "CV-02", several: "CV-07"}
			for _, call := range c.calls {
				n.say(call)
			}
			if got := n.misfit(false) == nil; got != c.allowed {
				t.Errorf("allowed: %t, want %t", got, c.allowed)
			}
			if got := n.misfit(true) != nil; got != c.wrong {
				t.Errorf("should not be: %t, want %t", got, c.wrong)
			}
		})
	}
}

// say makes the call, and sets its time.
func (n *named) say(call said) {
	var err error
	if call.until == never {
		err = status.Error(codes.Aborted, "pending")
	}
	n.create = func(context.Context) (string, error) { return call.id, err }
	n.remove = func(context.Context, string) error { return err }
	n.exists = func(context.Context, string) (bool, error) { return true, nil }
	switch call.ask {
	case creates:
		n.ask(context.Background(), 1)
	case deletes:
		n.delete(context.Background(), 1, max(call.id, "x"))
	case looks:
		n.look(context.Background(), 1, call.id)
	}
	last := n.calls[len(n.calls)-1]
	last.from, last.until = call.from, call.until
}

func TestTheShortestPartEndsWithWhatDoesNotFit(t *testing.T) {
	n := &named{history: newHistory[ids](&harness.Driver{Target: &harness.Target{}}, "a name", ""), creation: creates, clause: "CV-02", several: "CV-07"}
	for _, call := range []said{{creates, "x", 0, 1}, {creates, "y", 2, 4}, {creates, "x", 3, 6}, {creates, "x", 7, 8}} {
		n.say(call)
	}
	part := n.misfit(false)
	if len(part) != 3 || part[2].text != "OK, y" {
		t.Errorf("the shortest part of the history is\n%s", n.describe(part))
	}
}
