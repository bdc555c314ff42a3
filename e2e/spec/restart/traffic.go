// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
)

const (
	// callers is the number of concurrent callers of the driver while it is restarted, and mostCalls the maximum number of
	// calls of each, with a pause before it repeats a call with a transient code.
	callers   = 4
	mostCalls = 500
	pause     = 20 * time.Millisecond
)

// caller creates volumes, one after another, and deletes each when the next one exists.
type caller struct {
	// kept is the last volume that CreateVolume returned, if it was not deleted.
	kept *made
	// open and openDeletion are the CreateVolume and the DeleteVolume that were not answered; nil if there is none.
	open         *csi.CreateVolumeRequest
	openDeletion *csi.DeleteVolumeRequest
	// now is the phase of the restart.
	now *atomic.Int32
	// answered counts the calls that were OK, and refused is the first refusal.
	answered int
	refused  error
}

// phase is a phase of the restart of the driver.
type phase = int32

const (
	runs phase = iota
	isRestarted
	isBack
)

// killedUnderWay restarts the driver while several callers create and delete volumes, each after at least one answer, and
// returns the callers.
func killedUnderWay(ctx context.Context, driver *harness.Driver, request func() *csi.CreateVolumeRequest) []*caller {
	calls, end := context.WithTimeout(attempt.Unrecorded(attempt.Breaking(ctx)), driver.Target.Timeouts.Provision)
	all := make([]*caller, callers)
	var now atomic.Int32
	var begun, done sync.WaitGroup
	defer func() { end(); done.Wait() }()
	for i := range all {
		c := &caller{now: &now}
		all[i] = c
		begun.Add(1)
		done.Go(func() { c.run(calls, driver, request, sync.OnceFunc(begun.Done)) })
	}
	begun.Wait()
	now.Store(isRestarted)
	harness.RestartDriver(ctx, driver)
	now.Store(isBack)
	return all
}

// run makes calls until one is not answered, or the driver is back. It calls begun after the first answer.
func (c *caller) run(ctx context.Context, driver *harness.Driver, request func() *csi.CreateVolumeRequest, begun func()) {
	defer begun()
	for range mostCalls {
		asked := request()
		var response *csi.CreateVolumeResponse
		if !c.call(ctx, func() (err error) { response, err = driver.Controller.CreateVolume(ctx, asked); return err }) {
			c.open = asked
			return
		}
		if c.refused != nil {
			return
		}
		old := c.kept
		c.kept = &made{asked, response.GetVolume()}
		begun()
		if old == nil {
			continue
		}
		deletion := deletion.Request(driver, old.volume)
		if !c.call(ctx, func() error { _, err := driver.Controller.DeleteVolume(ctx, deletion); return err }) {
			c.openDeletion = deletion
			return
		}
		if c.refused != nil || c.now.Load() == isBack {
			return
		}
	}
}

// call makes a call, and repeats it while the driver asks for that, until it is restarted. It reports whether the call
// was answered; a refusal is recorded.
func (c *caller) call(ctx context.Context, perform func() error) (answered bool) {
	for {
		switch err := perform(); {
		case err == nil:
			c.answered++
			return true
		case !leavesOpen(err):
			c.refused = err
			return true
		case c.now.Load() != runs || ctx.Err() != nil:
			return false
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return false
		}
	}
}

// leavesOpen reports whether a failed call may have taken effect, or may still do so.
func leavesOpen(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.Canceled, codes.DeadlineExceeded, codes.Aborted, codes.Unknown, codes.Internal:
		return true
	default:
		return false
	}
}
