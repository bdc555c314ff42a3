// SPDX-License-Identifier: Apache-2.0

package health

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
)

// answers tracks how the calls of a run ended, by RPC.
type answers struct {
	mu       sync.Mutex
	works    map[string]bool          // the RPCs that were once answered with something other than a code for which a call is repeated
	created  *csi.CreateVolumeRequest // the request of the last plain volume without a source that was created
	vain     map[vainly]*Vain
	refused  map[vainly]bool // the RPCs that had to be refused and were repeated without success
	hanging  map[string]bool // the RPCs with a call that was never answered
	slowest  time.Duration
	improper []Improper
	flawed   []Flawed
	surveys  map[string]string // by RPC, the first call of a survey that the driver died of or never answered
}

type vainly struct {
	method string
	code   codes.Code
}

// Vain is an RPC that was repeated until its limit, while each answer had a code for which a call is repeated.
type Vain struct {
	// Method is the full name of the RPC.
	Method string
	// Last is the last of those answers, and Times the number of calls that ended this way.
	Last  error
	Times int
	// For is how long the first of them was repeated: until its limit.
	For time.Duration
}

// Improper is an answer that gRPC or the specification's messages do not allow.
type Improper struct {
	RPC, Endpoint string
	// Clause is the requirement that it contradicts, and Problem describes how.
	Clause, Problem string
}

// few is the number of calls of an RPC that are repeated without success before the RPC is considered broken.
const few = 3

// NoteWorking records that a call was answered with something other than a code for which it is repeated, and how long
// that took.
func (h *Health) NoteWorking(method string, after time.Duration) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	if h.answers.works == nil {
		h.answers.works = map[string]bool{}
	}
	h.answers.works[method] = true
	h.answers.slowest = max(h.answers.slowest, after)
}

// NoteCreated records the request that created a plain volume without a source. It copies the request, because cases
// change theirs for later calls.
func (h *Health) NoteCreated(request *csi.CreateVolumeRequest) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	h.answers.created = proto.CloneOf(request)
}

// LastCreated returns the request of the last such volume, or nil if there was none.
func (h *Health) LastCreated() *csi.CreateVolumeRequest {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return h.answers.created
}

// Completes reports whether a call of one of the RPCs was answered this way in the run.
func (h *Health) Completes(operation func(method string) bool) bool {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	for method := range h.answers.works {
		if operation(method) {
			return true
		}
	}
	return false
}

// Slowest returns how long the slowest call took, with its repetitions, until it was answered.
func (h *Health) Slowest() time.Duration {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return h.answers.slowest
}

// NoteRefused records that a call that had to be refused was repeated without success, with the status.
func (h *Health) NoteRefused(method string, last error) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	if h.answers.refused == nil {
		h.answers.refused = map[vainly]bool{}
	}
	h.answers.refused[vainly{method, status.Code(last)}] = true
}

// IsRefused reports whether NoteRefused recorded that before.
func (h *Health) IsRefused(method string, last error) bool {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return h.answers.refused[vainly{method, status.Code(last)}]
}

// NoteVain records that a call with the status was repeated without success for the given time.
func (h *Health) NoteVain(method string, last error, taken time.Duration) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	if h.answers.vain == nil {
		h.answers.vain = map[vainly]*Vain{}
	}
	key := vainly{method, status.Code(last)}
	v := h.answers.vain[key]
	if v == nil {
		v = &Vain{Method: method, For: taken}
		h.answers.vain[key] = v
	}
	v.Last, v.Times = last, v.Times+1
}

// IsVain reports whether a call has been repeated for long enough, if another call with the same status was repeated in
// vain: a driver that never ends some calls would take hours otherwise. An RPC that never worked is hardly repeated.
func (h *Health) IsVain(method string, last error, taken, limit time.Duration) bool {
	const part = 50 // of the limit
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	v := h.answers.vain[vainly{method, status.Code(last)}]
	switch {
	case v == nil:
		return false
	case v.Times >= few && !h.answers.works[method] && status.Code(last) != codes.ResourceExhausted: // room may return
		return true
	default:
		return taken > limit/part
	}
}

// NeverWorked returns the RPCs with a call that was repeated until its limit and no call with another answer.
// RESOURCE_EXHAUSTED is an answer, which cases judge.
func (h *Health) NeverWorked() []Vain {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	var found []Vain
	for key, v := range h.answers.vain {
		if !h.answers.works[key.method] && key.code != codes.ResourceExhausted {
			found = append(found, *v)
		}
	}
	slices.SortFunc(found, func(a, b Vain) int {
		return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(status.Code(a.Last), status.Code(b.Last)))
	})
	return found
}

// NoteHanging records that a call of the RPC was never answered, and reports whether it is the first of its RPC.
func (h *Health) NoteHanging(rpc string) (first bool) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	if h.answers.hanging == nil {
		h.answers.hanging = map[string]bool{}
	}
	first = !h.answers.hanging[rpc]
	h.answers.hanging[rpc] = true
	return first
}

// Hangs reports whether a call of the RPC was never answered in the run.
func (h *Health) Hangs(rpc string) bool {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return h.answers.hanging[rpc]
}

// NoteSilentSurvey records, for the first survey call of each RPC, that the driver died of it or never answered it.
func (h *Health) NoteSilentSurvey(rpc, text string) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	if h.answers.surveys == nil {
		h.answers.surveys = map[string]string{}
	}
	if h.answers.surveys[rpc] == "" {
		h.answers.surveys[rpc] = text
	}
}

// SilentSurveys returns the records of those calls, by RPC.
func (h *Health) SilentSurveys() map[string]string {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return maps.Clone(h.answers.surveys)
}

// NoteImproper records an improper answer, the first of each kind.
func (h *Health) NoteImproper(found Improper) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	if !slices.ContainsFunc(h.answers.improper, func(i Improper) bool {
		return i.Problem == found.Problem && rpcOf(i.RPC) == rpcOf(found.RPC)
	}) {
		h.answers.improper = append(h.answers.improper, found)
	}
}

// Improper returns the improper answers.
func (h *Health) Improper() []Improper {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return slices.Clone(h.answers.improper)
}

// rpcOf returns the RPC of a call that is described with its request.
func rpcOf(call string) string {
	rpc, _, _ := strings.Cut(call, " ")
	return rpc
}

// String describes in one line how the calls of the RPC were answered.
func (v Vain) String() string {
	return path.Base(v.Method) + " was answered " + describe.Status(v.Last)
}
