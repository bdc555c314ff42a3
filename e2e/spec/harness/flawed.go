// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
)

// noteFlaws records flaws of an answer that do not depend on the request, for the whole run: most cases check only what
// they are about.
func (c connection) noteFlaws(method string, request any, answer ...proto.Message) {
	h := c.driver.health
	for _, message := range answer {
		for _, flaw := range h.Answers.Flaws(request.(proto.Message), message) {
			h.NoteFlawed(health.Flawed{Flaw: flaw, Method: method, CaseID: c.driver.caseID, Endpoint: c.name}, func() string { return describeCall(method, request) })
		}
	}
}
