// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

const (
	// long is the duration of an operation that is killed half-way, and patience the time limit for its start.
	long     = 20 * time.Millisecond
	patience = 10 * time.Second
)

// killedHalfWay returns drivers that do not survive being killed in the middle of something.
func killedHalfWay() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"a kill in the middle of a write loses all records": wrong(rewritesInPlace(),
			mutation.Fails("restart_creating", "CV-02")).Seen("csi-driver-host-path"),
		"restores nothing when a restore was killed half-way and is repeated": wrong(restoresHalf(),
			mutation.Fails("restart_restoring", "VS-02")).Seen("csi-driver-host-path"),
	}
}

// work tracks operations in progress, by name; it ends with the process.
type work struct {
	mu     sync.Mutex
	names  map[string]bool
	dying  bool          // a killer waits for an operation, so that none ends
	begun  chan struct{} // gets one when something begins then
	killed chan struct{} // closed when the process ends
}

func newWork() *work {
	return &work{names: map[string]bool{}, begun: make(chan struct{}, 1), killed: make(chan struct{})}
}

// do performs the operation with the name, which takes a while. If the process ends meanwhile, it fails like a connection
// that breaks.
func (w *work) do(ctx context.Context, name string) error {
	w.mu.Lock()
	w.names[name] = true
	killed, ends := w.killed, time.After(long)
	if w.dying {
		ends = nil
		select {
		case w.begun <- struct{}{}:
		default:
		}
	}
	w.mu.Unlock()
	select {
	case <-killed:
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	case <-ends:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.killed != killed { // it may have ended at that moment
		return status.Error(codes.Unavailable, "error reading from server: EOF")
	}
	delete(w.names, name)
	return nil
}

// kill ends the operations in progress, and returns their names. It waits until there is one.
func (w *work) kill() []string {
	w.mu.Lock()
	w.dying = true
	w.mu.Unlock()
	select {
	case <-w.begun:
	case <-time.After(patience):
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.killed)
	w.dying, w.begun, w.killed = false, make(chan struct{}, 1), make(chan struct{})
	var names []string
	for name := range w.names {
		names = append(names, name)
	}
	w.names = map[string]bool{}
	return names
}

// rewritesInPlace returns a driver that rewrites all its records in place with each change.
func rewritesInPlace() mutation.Driver {
	writes, records := newWork(), ""
	return mutation.Driver{
		Options: func(o *embedded.Options) { records = filepath.Join(o.Dir, "records.db") },
		Fault: mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
			if r, creates := call.Request.(*csi.CreateVolumeRequest); creates {
				if err := writes.do(ctx, r.GetName()); err != nil {
					return nil, err
				}
			}
			return call.Perform(ctx)
		}),
		Restarting: func(ctx context.Context, process *mutation.Restartable) error {
			killed := writes.kill()
			if err := process.Stop(); err != nil {
				return err
			}
			if len(killed) > 0 {
				if err := os.Remove(records); err != nil {
					return err
				}
			}
			return process.Start(ctx)
		},
	}
}

// restoresHalf returns a driver that considers an existing volume complete, though nothing was copied into it yet.
func restoresHalf() mutation.Driver {
	copies := newWork()
	half := map[string]bool{}
	var mu sync.Mutex
	return mutation.Driver{
		Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			source := r.GetVolumeContentSource()
			mu.Lock()
			empty := half[r.GetName()]
			mu.Unlock()
			switch {
			case source == nil:
			case empty:
				r.VolumeContentSource = nil
			default:
				if err := copies.do(ctx, r.GetName()); err != nil {
					return nil, err
				}
			}
			response, err := right.CreateVolume(ctx, r)
			if err == nil {
				response.Volume.ContentSource = source
			}
			return response, err
		}),
		Restarting: func(ctx context.Context, process *mutation.Restartable) error {
			killed := copies.kill()
			mu.Lock()
			for _, name := range killed {
				half[name] = true
			}
			mu.Unlock()
			if err := process.Stop(); err != nil {
				return err
			}
			return process.Start(ctx)
		},
	}
}
