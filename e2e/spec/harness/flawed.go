// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/answer"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
)

// noteFlaws records the flaws of an answer for the whole run: most cases check only their own subject.
func (c connection) noteFlaws(method string, request any, answers ...proto.Message) {
	for _, message := range answers {
		c.noteAll(method, request, c.driver.health.Answers.Flaws(c.name, request.(proto.Message), message))
	}
}

// noteRefused records the flaws of a refusal that contradicts the earlier calls of the run.
func (c connection) noteRefused(method string, request any, err error) {
	c.noteAll(method, request, c.driver.health.Answers.Refused(request.(proto.Message), status.Code(err)))
}

func (c connection) noteAll(method string, request any, flaws []answer.Flaw) {
	for _, flaw := range flaws {
		c.driver.health.NoteFlawed(health.Flawed{Flaw: flaw, Method: method, CaseID: c.driver.caseID, Endpoint: c.name}, func() string { return describeCall(method, request) })
	}
}
