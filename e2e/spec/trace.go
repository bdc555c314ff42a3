package spec

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// call is one recorded RPC.
type call struct {
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

// recorded is a connection whose calls are recorded.
type recorded struct {
	grpc.ClientConnInterface
	trace *trace
}

// Invoke performs and records one call.
func (r recorded) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	begin := time.Now()
	err := r.ClientConnInterface.Invoke(ctx, method, request, response, opts...)
	c := call{
		Method:  method,
		Request: asJSON(request),
		Code:    model.CodeName(status.Code(err)),
		Message: status.Convert(err).Message(),
		Seconds: time.Since(begin).Seconds(),
	}
	if err == nil {
		c.Response = asJSON(response)
	}
	r.trace.add(c)
	return err
}

func asJSON(message any) json.RawMessage {
	m, ok := message.(proto.Message)
	if !ok {
		return nil
	}
	data, err := protojson.Marshal(m)
	if err != nil {
		return nil // evidence only: the call itself is judged without it
	}
	return data
}
