// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
)

// noteFlaws keeps what is wrong with the messages of an answer whatever was asked for, for the whole run: most cases look at
// what they are about alone.
func (c connection) noteFlaws(method string, request any, answer ...proto.Message) {
	h := c.driver.health
	for _, message := range answer {
		for _, flaw := range h.Answers.Flaws(request.(proto.Message), message) {
			h.NoteFlawed(health.Flawed{Flaw: flaw, Method: method, CaseID: c.driver.caseID, Endpoint: c.name}, func() string { return describeCall(method, request) })
		}
	}
}
