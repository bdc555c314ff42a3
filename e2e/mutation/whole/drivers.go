// SPDX-License-Identifier: Apache-2.0

// Package whole has drivers whose faults only show in a run as a whole: their process ends, a call never works, an answer
// cannot be read, or concurrent calls disturb each other.
package whole

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Drivers returns the faulty drivers.
func Drivers() map[string]mutation.Expectation {
	return mutation.Union(brokenLists(), otherCalls(), invalidAnswers())
}

// whole returns the expectation for a driver in a run of all cases.
func whole(driver mutation.Driver, cases ...mutation.Case) mutation.Expectation {
	return mutation.ExpectWide(driver, cases...)
}

func otherCalls() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"ends for good at the first ListVolumes with a starting_token": whole(mutation.Driver{Target: unrestarted, Running: endingAt(func(r *csi.ListVolumesRequest) bool { return r.GetStartingToken() != "" })},
			mutation.Fails("run_stays_up", "GEN-08"), mutation.Errs("list_volumes_number_as_token"),
			mutation.Passes("size_omitted")),
		"ListVolumes is always UNAVAILABLE": whole(mutation.Driver{Target: mutation.Hurry, Fault: mutation.RefusingAll[*csi.ListVolumesRequest](codes.Unavailable, "the inventory is busy")},
			mutation.Fails("run_calls_work", "LV-20"), mutation.Warns("run_surveys_work", "LV-01"),
			mutation.Passes("size_omitted"), mutation.Errs("list_volumes_pages")),
		"NodeStageVolume is always UNAVAILABLE": whole(mutation.Driver{Target: mutation.Hurry, Fault: mutation.RefusingAll[*csi.NodeStageVolumeRequest](codes.Unavailable, "the node is busy")},
			mutation.Fails("run_calls_work", "SV-05"), mutation.Errs("stage_again publish_again"), mutation.Passes("size_omitted")),
		"CreateVolume is always ABORTED": whole(mutation.Driver{Target: mutation.Hurry, Fault: mutation.RefusingAll[*csi.CreateVolumeRequest](codes.Aborted, "an operation is pending")},
			mutation.Fails("run_calls_work", "CV-01"), mutation.Errs("size_omitted stage_again")),
		"CreateVolume is INTERNAL for good after some time": whole(mutation.Driver{Fault: breaking()},
			mutation.Warns("run_still_works", "CV-01"), mutation.Passes("size_omitted")),
		"CreateVolume has a code that is none": whole(mutation.Driver{Fault: mutation.RefusingAll[*csi.CreateVolumeRequest](99, "no")},
			mutation.Fails("run_answers_readable", "GEN-09"), mutation.Errs("stage_again")),
		"CreateVolume has a negative code": whole(mutation.Driver{Fault: mutation.RefusingAll[*csi.CreateVolumeRequest](negative, "no")},
			mutation.Fails("run_answers_readable", "GEN-09"), mutation.Errs("stage_again")),
		"volume_id of CreateVolume is no UTF-8": whole(mutation.Driver{Fault: mutation.RefusingAll[*csi.CreateVolumeRequest](codes.Internal, "grpc: failed to unmarshal the received message: string field contains invalid UTF-8")},
			mutation.Fails("run_answers_readable", "GEN-08"), mutation.Errs("stage_again")),
		"DeleteVolume deletes what others have": whole(deletesOthers(),
			mutation.Warns("run_leaves_others_alone", "LV-01"), mutation.Warns("size_omitted", "CV-07")),
		"CreateVolume makes a volume that nobody asked for": whole(createsUnasked(),
			mutation.Warns("run_leaves_others_alone", "LV-01"), mutation.Warns("size_omitted", "CV-07")),
		"CreateSnapshot takes a snapshot that nobody asked for": whole(mutation.Driver{Fault: createsSnapshotUnasked()},
			mutation.Warns("run_leaves_others_alone", "LS-01"), mutation.Warns("snapshot_volume", "CV-07")),
		"several CreateVolume side by side are INTERNAL": whole(mutation.Driver{Target: func(t *harness.Target) {
			const cases = 8
			t.Parallel = cases
		}, Fault: disturbed()}, mutation.Warns("run_side_by_side", "GEN-02"),
			mutation.Errs("attach_same_node_again detach_again stage_again publish_again attach_every_node validate_confirms")),
	}
}

// negative is the code -1, as gRPC decodes it.
const negative = codes.Code(1<<32 - 1)

// breaking returns a driver with a part that ends permanently after the first volume, such as a watch of its back end.
func breaking() mutation.Fault {
	var asked atomic.Int64
	return mutation.RefusingSome(codes.Internal, "the listener is not ready", func(*csi.CreateVolumeRequest) bool { return asked.Add(1) > inFirstCase })
}

func unrestarted(t *harness.Target) { t.Restart = nil }

func disturbed() mutation.Fault {
	const company = time.Second // that a call waits for another one
	var creating atomic.Int64
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		creating.Add(1)
		defer creating.Add(-1)
		alone := time.NewTimer(company)
		defer alone.Stop()
		look := time.NewTicker(time.Millisecond)
		defer look.Stop()
		for {
			if creating.Load() > 1 {
				<-alone.C // all calls in flight meet
				return nil, status.Error(codes.Internal, "the pool is locked by another process")
			}
			select {
			case <-alone.C:
				return right.CreateVolume(ctx, r)
			case <-look.C:
			}
		}
	})
}

// endingAt ends the driver, and never starts it again, at a request of its controller.
func endingAt[Request any](at func(r Request) bool) func(*embedded.Driver, *harness.Target) {
	return func(driver *embedded.Driver, target *harness.Target) {
		end := sync.OnceFunc(func() { _ = driver.Stop() })
		target.Controller = mortal{target.Controller, func(request any) {
			if r, is := request.(Request); is && at(r) {
				end()
			}
		}}
	}
}

type mortal struct {
	grpc.ClientConnInterface
	before func(request any)
}

// Invoke performs a call, before which the driver may end.
func (m mortal) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	m.before(request)
	return m.ClientConnInterface.Invoke(ctx, method, request, response, opts...)
}
