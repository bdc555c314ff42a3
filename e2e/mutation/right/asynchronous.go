// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// background is the time that the back end works after a call was answered.
const background = 5 * time.Millisecond

func asynchronous() []Driver {
	return []Driver{
		{Name: "aborted-until-done",
			Is:    "begins the work, answers ABORTED until it is done, and then answers with its result",
			Given: []Endpoints{All, Controller}, // the suite waits differently for the controller and for nodes
			Long:  true, Driver: mutation.Driver{Profile: exactDisks, Fault: inBackground(codes.Aborted)}},
		{Name: "deadline-exceeded-until-done",
			Is:   "gives up waiting for its back end with DEADLINE_EXCEEDED, as drivers of cloud file shares do for minutes",
			Long: true, Driver: mutation.Driver{Profile: exactDisks, Fault: inBackground(codes.DeadlineExceeded)}},
		{Name: "unavailable-now-and-then",
			Is:   "answers UNAVAILABLE now and then, before or after it has done the work, as behind a load balancer",
			Long: true, Driver: mutation.Driver{Profile: exactDisks, Fault: unavailableNowAndThen()}},
		{Name: "slow",
			Is:   "takes a while for each call that changes something: a tenth of the time that a change takes to show",
			Long: true, Driver: mutation.Driver{Profile: exactDisks, Fault: slow(5 * time.Millisecond)}},
	}
}

// inBackground simulates a driver that answers with the code while the requested work continues. It refuses impossible
// requests at once, and answers completed ones at once.
func inBackground(code codes.Code) mutation.Fault {
	w := &work{done: map[string]bool{}, until: map[effect]time.Time{}}
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		response, err := call.Perform(ctx)
		if err != nil {
			return nil, err
		}
		if e, does := effectOf(call.Request, response); does && w.pending(e) {
			return nil, status.Errorf(code, "the back end is still working on it: %s", e.of)
		}
		return response, nil
	})
}

// work tracks the work in the background.
type work struct {
	mu    sync.Mutex
	done  map[string]bool
	until map[effect]time.Time
}

// pending begins the work with the effect, unless there is nothing to do, and reports whether it is still in progress.
func (w *work) pending(e effect) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	until, begun := w.until[e]
	switch {
	case begun && time.Now().Before(until):
		return true
	case begun:
		delete(w.until, e)
		if !e.removes {
			w.done[e.of] = true
		}
		return false
	case e.removes && !w.forget(e.of), !e.removes && w.done[e.of]:
		return false
	default:
		w.until[e] = time.Now().Add(background)
		return true
	}
}

// forget forgets finished and pending work whose name has the prefix, and reports whether there was any.
func (w *work) forget(beginning string) bool {
	found := false
	for of := range w.done {
		if strings.HasPrefix(of, beginning) {
			delete(w.done, of)
			found = true
		}
	}
	for e := range w.until {
		if !e.removes && strings.HasPrefix(e.of, beginning) {
			delete(w.until, e)
			found = true
		}
	}
	return found
}

// unavailableNowAndThen simulates a driver that is unreachable for every seventh call: the call, or its answer, is lost.
func unavailableNowAndThen() mutation.Fault {
	const every = 7
	var calls atomic.Int64
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		if strings.HasPrefix(call.Method, "/csi.v1.Identity/") {
			return call.Perform(ctx)
		}
		lost := status.Error(codes.Unavailable, "the management service of the storage cannot be reached")
		switch number := calls.Add(1); {
		case number%(2*every) == 0:
			return nil, lost
		case number%every == 0:
			if _, err := call.Perform(ctx); err != nil {
				return nil, err
			}
			return nil, lost
		default:
			return call.Perform(ctx)
		}
	})
}

// slow simulates a driver whose mutating calls take the given time.
func slow(takes time.Duration) mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		if asksOnly(call.Request) {
			return call.Perform(ctx)
		}
		if err := wait(ctx, takes/2); err != nil {
			return nil, err
		}
		response, err := call.Perform(ctx)
		if late := wait(ctx, takes/2); late != nil {
			return nil, late
		}
		return response, err
	})
}
