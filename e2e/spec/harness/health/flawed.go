// SPDX-License-Identifier: Apache-2.0

package health

import (
	"fmt"
	"path"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/answer"
)

// Flawed is a field that answers of an RPC had wrong, whatever was asked for.
type Flawed struct {
	answer.Flaw
	// Method is the full name of the RPC. CaseID, Endpoint and RPC, with its request, are the first call's.
	Method, CaseID, Endpoint, RPC string
	// Times is how many answers had it so.
	Times int
}

// NoteFlawed keeps a flaw of an answer, of each RPC, field and clause the first.
func (h *Health) NoteFlawed(found Flawed, describe func() string) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	i := slices.IndexFunc(h.answers.flawed, func(f Flawed) bool {
		return f.Method == found.Method && f.Field == found.Field && f.Clause == found.Clause
	})
	if i < 0 {
		found.RPC = describe()
		h.answers.flawed = append(h.answers.flawed, found)
		i = len(h.answers.flawed) - 1
	}
	h.answers.flawed[i].Times++
}

// Flawed are the flaws of the answers of the run.
func (h *Health) Flawed() []Flawed {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return slices.Clone(h.answers.flawed)
}

// String says what is wrong, how often, and in which answer first.
func (f Flawed) String() string {
	first := fmt.Sprintf("%s at %s", f.RPC, f.Endpoint)
	if f.CaseID != "" {
		first += ", in the case " + f.CaseID
	}
	return fmt.Sprintf("%s: %s\nin %d answers, of which the first is that to %s", path.Base(f.Method), f.Text, f.Times, first)
}
