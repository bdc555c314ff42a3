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

// call is one recorded RPC.
type call struct {
	Endpoint string          `json:"endpoint"`
	Method   string          `json:"method"`
	Request  json.RawMessage `json:"request,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
	Code     string          `json:"code"`
	Message  string          `json:"message,omitempty"`
	Seconds  float64         `json:"seconds"`
}

// trace records the calls of one case, in the order in which they ended.
type trace struct {
	mu    sync.Mutex
	calls []call
}

func (t *trace) add(c call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, c)
}

func (t *trace) all() []call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.calls)
}

func callOf(endpoint, method string, request, response any, err error, took time.Duration) call {
	c := call{
		Endpoint: endpoint,
		Method:   method,
		Request:  asJSON(request),
		Code:     model.CodeName(status.Code(err)),
		Message:  status.Convert(err).Message(),
		Seconds:  took.Seconds(),
	}
	if err == nil {
		c.Response = asJSON(response)
	}
	return c
}

// asJSON is a message without its secrets.
func asJSON(message any) json.RawMessage {
	m, ok := message.(proto.Message)
	if !ok {
		return nil
	}
	return json.RawMessage(protosanitizer.StripSecrets(m).String())
}
