package harness

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/kubernetes-csi/csi-lib-utils/protosanitizer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// call is one RPC. Its messages are copies: what a case does to its own afterwards is not what was sent.
type call struct {
	endpoint, method  string
	request, response proto.Message
	err               error
	took              time.Duration
}

// trace records the calls of one case, in the order in which they ended.
type trace struct {
	caseID string

	mu    sync.Mutex
	calls []call
}

func (t *trace) add(c call) {
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
func (t *trace) lines() []json.RawMessage {
	t.mu.Lock()
	calls := slices.Clone(t.calls)
	t.mu.Unlock()
	var lines []json.RawMessage
	for _, c := range calls {
		line, err := json.Marshal(struct {
			Case     string          `json:"case"`
			Endpoint string          `json:"endpoint"`
			Method   string          `json:"method"`
			Request  json.RawMessage `json:"request,omitempty"`
			Response json.RawMessage `json:"response,omitempty"`
			Code     string          `json:"code"`
			Message  string          `json:"message,omitempty"`
			Seconds  float64         `json:"seconds"`
		}{
			t.caseID, c.endpoint, c.method, asJSON(c.request), asJSON(c.response),
			model.CodeName(status.Code(c.err)), status.Convert(c.err).Message(), c.took.Seconds(),
		})
		if err != nil {
			line, _ = json.Marshal(err.Error()) // a string always has a JSON form
		}
		lines = append(lines, line)
	}
	return lines
}

// asJSON is a message without its secrets.
func asJSON(message proto.Message) json.RawMessage {
	if message == nil {
		return nil
	}
	return json.RawMessage(protosanitizer.StripSecrets(message).String())
}
