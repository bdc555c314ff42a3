// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"iter"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

const (
	// mostOfMessage is the number of bytes of a message that are recorded.
	mostOfMessage = 8 << 10
	// mostOfStatus is the number of bytes of a status message that are recorded.
	mostOfStatus = 1 << 10
)

// Call is one RPC that has ended.
type Call struct {
	Endpoint, Method  string
	Request, Response any
	Err               error
	Took              time.Duration
}

// Log records the calls of one case, in the order in which they ended, and the placement of its volumes.
type Log struct {
	CaseID string
	// Spool keeps the calls; nil records none of them.
	Spool *Spool
	// Edit changes the texts of messages; nil leaves them as they are.
	Edit func(string) string

	mu     sync.Mutex // guards the following fields
	lines  []span
	seen   map[string]bool // ids of volumes
	placed suite.Placement
}

// Add records a call. Volumes are placed among the known segments.
func (t *Log) Add(c Call, known model.Set) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c.Err == nil {
		t.place(c.Request, c.Response, known)
	}
	if t.Spool != nil {
		t.lines = append(t.lines, t.Spool.add(t.line(c)))
	}
}

// Follow inserts the calls of an earlier log, from a previous run of the case, before its own.
func (t *Log) Follow(earlier *Log) {
	earlier.mu.Lock()
	lines := slices.Clone(earlier.lines)
	earlier.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(lines, t.lines...)
}

// line returns the call as a JSON object, in the form of the report.
func (t *Log) line(c Call) []byte {
	failed := status.Convert(c.Err)
	recorded := trace.Call{
		Case: t.CaseID, Endpoint: c.Endpoint, Method: c.Method,
		Code: model.CodeName(failed.Code()), Message: foreign.Cut(t.edited(failed.Message()), mostOfStatus), Seconds: c.Took.Seconds(),
	}
	request, _ := c.Request.(proto.Message)
	response, _ := c.Response.(proto.Message)
	if c.Err != nil {
		response = nil
	}
	recorded.Record(request, response, mostOfMessage, t.Edit)
	line, err := json.Marshal(recorded)
	if err != nil {
		line, _ = json.Marshal(err.Error()) // a string always has a JSON form
	}
	return line
}

func (t *Log) edited(text string) string {
	if t.Edit == nil {
		return text
	}
	return t.Edit(text)
}

// Len returns the number of recorded calls.
func (t *Log) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.lines)
}

// All returns the calls, each as a JSON object.
func (t *Log) All() iter.Seq2[json.RawMessage, error] {
	t.mu.Lock()
	lines := slices.Clone(t.lines)
	t.mu.Unlock()
	return func(yield func(json.RawMessage, error) bool) {
		for _, at := range lines {
			if line, err := t.Spool.read(at); !yield(line, err) {
				return
			}
		}
	}
}
