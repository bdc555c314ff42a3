// SPDX-License-Identifier: Apache-2.0

package health

import (
	"fmt"
	"path"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/answer"
)

// Flawed is a field that was wrong in answers of an RPC.
type Flawed struct {
	answer.Flaw
	// Method is the full name of the RPC. CaseID, Endpoint and RPC, with its request, come from the first
	// call.
	Method, CaseID, Endpoint, RPC string
	// Times is the number of answers with this flaw.
	Times int
}

// NoteFlawed records a flaw of an answer, the first for each RPC, field and clause.
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

// Flawed returns the flaws of the answers of the run.
func (h *Health) Flawed() []Flawed {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return slices.Clone(h.answers.flawed)
}

// String describes the flaw, how often it occurred, and the first answer with it.
func (f Flawed) String() string {
	first := fmt.Sprintf("%s at %s", f.RPC, f.Endpoint)
	if f.CaseID != "" {
		first += ", in the case " + f.CaseID
	}
	return fmt.Sprintf("%s: %s\nin %d answers, first in the answer to %s", path.Base(f.Method), f.Text, f.Times, first)
}
