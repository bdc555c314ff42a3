// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"
)

// cutCall is a call that was under way when the connection to the driver broke. Cases run side by side, and the driver may
// have died of another one's call.
type cutCall struct {
	caseID, rpc, endpoint string
	err                   error
}

// String says it on a line.
func (c cutCall) String() string {
	of := ""
	if c.caseID != "" {
		of = ", in the case " + c.caseID
	}
	return fmt.Sprintf("%s at %s%s: %s", c.rpc, c.endpoint, of, Describe(c.err))
}

// noteCut keeps a call whose connection broke.
func (h *health) noteCut(call cutCall) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped == "" {
		h.cut = append(h.cut, call)
	}
}

// noteAnswer says that the driver answers again, so that it has not died of the calls before.
func (h *health) noteAnswer() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cut = nil
}

// casesOf names the cases of the calls, each once.
func casesOf(calls []cutCall) []string {
	var ids []string
	for _, call := range calls {
		if call.caseID != "" && !slices.Contains(ids, call.caseID) {
			ids = append(ids, call.caseID)
		}
	}
	return ids
}

// during says of which call the driver may have died.
func during(calls []cutCall) string {
	if len(calls) == 1 {
		return "the driver stopped answering during " + calls[0].String()
	}
	lines := []string{"the driver stopped answering while these calls were under way:"}
	for _, call := range calls {
		lines = append(lines, "  "+call.String())
	}
	if ids := casesOf(calls); len(ids) > 1 {
		lines = append(lines, "To find out of which of them, run these cases one at a time with --focus: "+strings.Join(ids, ", "))
	}
	return strings.Join(lines, "\n")
}
