// SPDX-License-Identifier: Apache-2.0

package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
)

// Breakage is a call during which the connection broke, and which was answered when it was repeated.
type Breakage struct {
	RPC, Endpoint string
	Err           error
}

// Cut is a call that was in flight when the connection to the driver broke. Cases run concurrently, and the driver may
// have died of a call of another case.
type Cut struct {
	CaseID, RPC, Endpoint string
	Err                   error
}

// String describes the call in one line.
func (c Cut) String() string {
	of := ""
	if c.CaseID != "" {
		of = ", in the case " + c.CaseID
	}
	return fmt.Sprintf("%s at %s%s: %s", c.RPC, c.Endpoint, of, describe.Status(c.Err))
}

// NoteCut records a call whose connection broke.
func (h *Health) NoteCut(call Cut) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped == "" {
		h.cut = append(h.cut, call)
	}
}

// NoteAnswer records that the driver answers again, so that it has not died of the calls before.
func (h *Health) NoteAnswer() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cut = nil
}

// casesOf names the cases of the calls, each once.
func casesOf(calls []Cut) []string {
	var ids []string
	for _, call := range calls {
		if call.CaseID != "" && !slices.Contains(ids, call.CaseID) {
			ids = append(ids, call.CaseID)
		}
	}
	return ids
}

// During describes which calls the driver may have died of.
func During(calls []Cut) string {
	if len(calls) == 1 {
		return "the driver stopped answering during " + calls[0].String()
	}
	lines := []string{"the driver stopped answering while these calls were in flight:"}
	for _, call := range calls {
		lines = append(lines, "  "+call.String())
	}
	if ids := casesOf(calls); len(ids) > 1 {
		lines = append(lines, "To find out during which of them, run these cases one at a time with --focus: "+strings.Join(ids, ", "))
	}
	return strings.Join(lines, "\n")
}

// String describes the breakage as a clause of a sentence.
func (b *Breakage) String() string {
	return fmt.Sprintf("the driver's process ended, or closed the connection, during %s at %s: %s", b.RPC, b.Endpoint, describe.Status(b.Err))
}
