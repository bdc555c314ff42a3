// SPDX-License-Identifier: Apache-2.0

package harness

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

// call is one RPC. Its messages are copies: what a case does to its own afterwards is not what was sent.
type call struct {
	endpoint, method  string
	request, response proto.Message
	err               error
	took              time.Duration
}

// callLog records the calls of one case, in the order in which they ended.
type callLog struct {
	caseID string

	mu    sync.Mutex
	calls []call
}

func (t *callLog) add(c call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, c)
}

func callOf(endpoint, method string, request, response any, err error, took time.Duration) call {
	c := call{endpoint: endpoint, method: method, request: copyOf(request), err: err, took: took}
	if err == nil {
		c.response = copyOf(response)
	}
	return c
}

func copyOf(message any) proto.Message {
	m, ok := message.(proto.Message)
	if !ok {
		return nil
	}
	return proto.Clone(m)
}

// lines are the calls as the report has them, each an object.
func (t *callLog) lines() []json.RawMessage {
	t.mu.Lock()
	calls := slices.Clone(t.calls)
	t.mu.Unlock()
	var lines []json.RawMessage
	for _, c := range calls {
		line, err := json.Marshal(trace.Call{
			Case: t.caseID, Endpoint: c.endpoint, Method: c.method,
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
