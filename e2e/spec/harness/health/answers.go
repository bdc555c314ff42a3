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

// answers are how the calls of a run ended, by RPC.
type answers struct {
	mu       sync.Mutex
	works    map[string]bool          // the RPCs that were once answered otherwise than by a code for which a call is repeated
	created  *csi.CreateVolumeRequest // the last one of a usual volume without a source that was answered OK
	vain     map[vainly]*Vain
	refused  map[vainly]bool // the RPCs that were repeated in vain though they were to be refused
	hanging  map[string]bool // the RPCs of which a call was never answered
	slowest  time.Duration
	improper []Improper
	flawed   []Flawed
	surveys  map[string]string // by RPC, of which call of a survey the driver died or which it never answered
}

type vainly struct {
	method string
	code   codes.Code
}

// Vain is an RPC that was repeated until its limit, while each answer had a code for which a call is repeated.
type Vain struct {
	// Method is the full name of the RPC.
	Method string
	// Last is the last answer of those, and Times how many calls ended so.
	Last  error
	Times int
	// For is how long the first of them was repeated: until its limit.
	For time.Duration
}

// Improper is an answer that is not one of gRPC or of the specification's messages.
type Improper struct {
	RPC, Endpoint string
	// Clause is the requirement that it contradicts, and Problem says how.
	Clause, Problem string
}

// few is how many calls of an RPC are repeated in vain before it is taken for one that does not work.
const few = 3

// NoteWorking keeps that a call was answered by something else than a code for which it is repeated, after so long.
func (h *Health) NoteWorking(method string, after time.Duration) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	if h.answers.works == nil {
		h.answers.works = map[string]bool{}
	}
	h.answers.works[method] = true
	h.answers.slowest = max(h.answers.slowest, after)
}

// NoteCreated keeps the request that created a usual volume without a source. It copies the request, because cases change
// theirs for later calls.
func (h *Health) NoteCreated(request *csi.CreateVolumeRequest) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	h.answers.created = proto.CloneOf(request)
}

// LastCreated is the request of the last such volume; nil where there was none.
func (h *Health) LastCreated() *csi.CreateVolumeRequest {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return h.answers.created
}

// Completes reports whether a call of one of the RPCs was answered so in the run.
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

// Slowest is how long the slowest call took, with its repetitions, until it was answered.
func (h *Health) Slowest() time.Duration {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return h.answers.slowest
}

// NoteRefused keeps that a call which was to be refused was repeated in vain with the status.
func (h *Health) NoteRefused(method string, last error) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	if h.answers.refused == nil {
		h.answers.refused = map[vainly]bool{}
	}
	h.answers.refused[vainly{method, status.Code(last)}] = true
}

// IsRefused reports whether that was so before.
func (h *Health) IsRefused(method string, last error) bool {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return h.answers.refused[vainly{method, status.Code(last)}]
}

// NoteVain keeps that repeating a call with the status was in vain for so long.
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

// IsVain reports whether a call has been repeated for long enough where that was in vain for another with the same status:
// a driver that never ends some calls would take hours otherwise. An RPC that never worked is hardly repeated.
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

// NeverWorked are the RPCs of which a call was repeated in vain until its limit, and none was answered otherwise in the run.
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

// NoteHanging keeps that a call of the RPC was never answered, and reports whether it is the first of its RPC.
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

// NoteSilentSurvey keeps what is said of a call of a survey that the driver died of or never answered, of each RPC the first.
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

// SilentSurveys is what is said of those calls, by RPC.
func (h *Health) SilentSurveys() map[string]string {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return maps.Clone(h.answers.surveys)
}

// NoteImproper keeps an answer that is none of gRPC or of the specification, of each kind the first.
func (h *Health) NoteImproper(found Improper) {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	if !slices.ContainsFunc(h.answers.improper, func(i Improper) bool {
		return i.Problem == found.Problem && rpcOf(i.RPC) == rpcOf(found.RPC)
	}) {
		h.answers.improper = append(h.answers.improper, found)
	}
}

// Improper are the answers of those kinds.
func (h *Health) Improper() []Improper {
	h.answers.mu.Lock()
	defer h.answers.mu.Unlock()
	return slices.Clone(h.answers.improper)
}

// rpcOf is the RPC of a call that is described with its request.
func rpcOf(call string) string {
	rpc, _, _ := strings.Cut(call, " ")
	return rpc
}

// String says on a line what the calls of the RPC were answered.
func (v Vain) String() string {
	return path.Base(v.Method) + " was answered " + describe.Status(v.Last)
}
