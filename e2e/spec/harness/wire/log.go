// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Call is one RPC. Its messages are copies: what a case does to its own afterwards is not what was sent.
type Call struct {
	endpoint, method  string
	request, response proto.Message
	err               error
	took              time.Duration
}

// Log records the calls of one case, in the order in which they ended.
type Log struct {
	CaseID string

	mu    sync.Mutex
	calls []Call
}

// Add records a call.
func (t *Log) Add(c Call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, c)
}

// CallOf is the call with copies of its messages.
func CallOf(endpoint, method string, request, response any, err error, took time.Duration) Call {
	c := Call{endpoint: endpoint, method: method, request: CopyOf(request), err: err, took: took}
	if err == nil {
		c.response = CopyOf(response)
	}
	return c
}

// CopyOf is a copy of the message; nil for what is none.
func CopyOf(message any) proto.Message {
	m, ok := message.(proto.Message)
	if !ok {
		return nil
	}
	return proto.Clone(m)
}

// Lines are the calls as the report has them, each an object.
func (t *Log) Lines() []json.RawMessage {
	t.mu.Lock()
	calls := slices.Clone(t.calls)
	t.mu.Unlock()
	var lines []json.RawMessage
	for _, c := range calls {
		line, err := json.Marshal(trace.Call{
			Case: t.CaseID, Endpoint: c.endpoint, Method: c.method,
			Request: trace.Sanitized(c.request), Response: trace.Sanitized(c.response),
			Code: model.CodeName(status.Code(c.err)), Message: status.Convert(c.err).Message(), Seconds: c.took.Seconds(),
		})
		if err != nil {
			line, _ = json.Marshal(err.Error()) // a string always has a JSON form
		}
		lines = append(lines, line)
	}
	return lines
}
