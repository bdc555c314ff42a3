// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

// keptBytes is the maximum number of bytes that a recorder keeps, regardless of the number of calls.
const keptBytes = 64 << 20

// Recorder keeps the calls of one proxy. [Recorder.Run] decodes the messages, so that no caller waits for it.
type Recorder struct {
	id             string // of no other recorder
	node, endpoint string
	keep, room     int // calls, and bytes of their lines
	out            io.Writer

	mu      sync.Mutex
	grown   chan struct{} // closed, and replaced, when recorded grows
	waiting []exchange
	arrived chan struct{} // has room for one: calls are waiting
	ended   int64         // the number of the last call that ended
	written int64         // the number of the last call that was recorded
	lines   []line        // recorded calls, oldest first
	bytes   int
}

// line is one recorded call.
type line struct {
	number int64
	data   []byte
}

// exchange is a finished call, with its messages in wire format.
type exchange struct {
	number              int64
	method              string
	began               time.Time
	took                time.Duration
	requests, responses [][]byte
	code                codes.Code
	message             string
	injected            *injected
}

// injected describes the effect of a rule on a call.
type injected struct {
	rule      string
	forwarded bool
	code      codes.Code
	response  []byte
}

// NewRecorder returns a recorder that writes a line for each call to out, with the names of the node and the endpoint. It
// keeps the last keep calls for its readers, or as many as fit in 64 MiB. Gaps in the numbers show that calls were dropped.
func NewRecorder(node, endpoint string, keep int, out io.Writer) *Recorder {
	return &Recorder{
		id: rand.Text(), node: node, endpoint: endpoint, keep: keep, room: keptBytes, out: out,
		grown: make(chan struct{}), arrived: make(chan struct{}, 1),
	}
}

// Run writes recorded calls until the context ends, and then the remaining ones.
func (r *Recorder) Run(ctx context.Context) error {
	for {
		if err := r.write(); err != nil {
			return err
		}
		select {
		case <-r.arrived:
		case <-ctx.Done():
			return r.write()
		}
	}
}

// add records a finished call.
func (r *Recorder) add(e exchange) {
	r.mu.Lock()
	r.ended++
	e.number = r.ended
	r.waiting = append(r.waiting, e)
	r.mu.Unlock()
	select {
	case r.arrived <- struct{}{}:
	default:
	}
}

// write turns the waiting calls into lines.
func (r *Recorder) write() error {
	r.mu.Lock()
	waiting := r.waiting
	r.waiting = nil
	r.mu.Unlock()
	if len(waiting) == 0 {
		return nil
	}
	lines := make([]line, 0, len(waiting))
	for _, e := range waiting {
		data, err := json.Marshal(r.call(e))
		if err != nil {
			return fmt.Errorf("recording a call of %s: %w", e.method, err)
		}
		data = append(data, '\n')
		if _, err := r.out.Write(data); err != nil {
			return fmt.Errorf("recording a call of %s: %w", e.method, err)
		}
		lines = append(lines, line{number: e.number, data: data})
	}
	r.retain(lines)
	return nil
}

func (r *Recorder) retain(lines []line) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range lines {
		r.lines = append(r.lines, l)
		r.bytes += len(l.data)
		r.written = l.number
	}
	surplus := 0
	for ; surplus < len(r.lines)-1 && (len(r.lines)-surplus > r.keep || r.bytes > r.room); surplus++ {
		r.bytes -= len(r.lines[surplus].data)
	}
	r.lines = slices.Delete(r.lines, 0, surplus)
	close(r.grown)
	r.grown = make(chan struct{})
}

func (r *Recorder) call(e exchange) Call {
	types := messagesOf(e.method)
	request, requestSize := sanitizedAll(types.request, e.requests)
	response, responseSize := sanitizedAll(types.response, e.responses)
	c := Call{
		Number: e.number, Time: e.began.UTC(), Node: r.node, Endpoint: r.endpoint, Method: e.method,
		Request: request, Response: response, Cut: sizes(requestSize, responseSize),
		Code: model.CodeName(e.code), Message: foreign.Cut(e.message, longestText), Seconds: e.took.Seconds(),
	}
	if i := e.injected; i != nil {
		c.Injected = &Injection{Rule: i.rule, Forwarded: i.forwarded}
		if i.forwarded {
			c.Injected.Code = model.CodeName(i.code)
			c.Injected.Response, _ = Recorded(decode(types.response, i.response), mostOfMessage, nil)
		}
	}
	return c
}

// After returns the lines of the calls with a higher number, among them every call that had ended when it was called. If
// there is none, it waits for one for the given time.
func (r *Recorder) After(ctx context.Context, number int64, wait time.Duration) ([]byte, error) {
	r.mu.Lock()
	ended := r.ended
	r.mu.Unlock()
	// Calls that ended are written soon: wait for them regardless of wait.
	if ended > number {
		if err := r.untilWritten(ctx, ended); err != nil {
			return nil, err
		}
		return r.after(number), nil
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if err := r.untilWritten(ctx, number+1); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	return r.after(number), nil
}

// untilWritten waits until the call with the number is among the lines.
func (r *Recorder) untilWritten(ctx context.Context, number int64) error {
	for {
		r.mu.Lock()
		grown := r.grown
		written := r.written
		r.mu.Unlock()
		if written >= number {
			return nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return fmt.Errorf("waiting for call number %d: %w", number, ctx.Err())
		}
	}
}

// after returns the joined lines of the calls with a higher number.
func (r *Recorder) after(number int64) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	var joined []byte
	for _, l := range r.lines {
		if l.number > number {
			joined = append(joined, l.data...)
		}
	}
	return joined
}
