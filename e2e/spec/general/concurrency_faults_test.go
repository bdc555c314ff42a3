package general_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// wrongOfConcurrency are drivers that several calls at once confuse.
func wrongOfConcurrency() map[string]spectest.Expectation {
	const all = "concurrent_creation concurrent_deletion concurrent_publication concurrent_staging"
	return map[string]spectest.Expectation{
		"makes a volume of each call at once": wrong(
			makesOneOfEach(),
			spectest.Fails("concurrent_creation", "there is one volume of a name (CV-02, CV-07)")),
		"is in two places for calls at once": wrong(
			answersAtOnce(func(v *csi.Volume) { v.GetAccessibleTopology()[0].Segments["topology.hostpath.topo.csi/zone"] = "Z9" }),
			spectest.Fails("concurrent_creation", "accessible from the same topologies in each answer (CV-03)")),
		"has a volume_context for each of the calls at once": wrong(
			answersAtOnce(func(v *csi.Volume) { v.VolumeContext = map[string]string{"second": "true"} }),
			spectest.Fails("concurrent_creation", "the same volume_context in each answer (VOL-12)")),
		"aborts all calls at once but one": {
			Driver: spectest.Driver{Fault: secondCalls(status.Error(codes.Aborted, "another call is pending"))},
			Cases:  []spectest.Case{spectest.Passes(all, "")},
		},
		"aborts without a message": wrong(
			secondCalls(status.Error(codes.Aborted, "")),
			spectest.Fails(all, "no message that a human could read (GEN-15)")),
		"fails when another call is pending": wrong(
			secondCalls(status.Error(codes.Internal, "locked")),
			spectest.Warns(all, "several calls at once should be answered, or be ABORTED (GEN-02)")),
		"fails without a status when another call is pending": wrong(
			secondCalls(status.Error(codes.Unknown, "locked")),
			spectest.Fails(all, "its code is UNKNOWN")),
		"does not answer once calls were pending at once": wrong(
			staysLocked(),
			spectest.Fails("concurrent_creation", "a call that no other is pending with is answered (CV-02)"),
			spectest.Fails("concurrent_deletion", "a call that no other is pending with is answered (DV-01)"),
			spectest.Fails("concurrent_publication", "a call that no other is pending with is answered (CP-04)"),
			spectest.Fails("concurrent_staging", "a call that no other is pending with is answered (NS-04)")),
	}
}

// makesOneOfEach makes a driver that looks for the name of a volume before it locks it.
func makesOneOfEach() spectest.Fault {
	var calls atomic.Int64
	return spectest.On(func(ctx context.Context, driver right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		if r.GetName() != "" {
			r.Name = fmt.Sprintf("%s-%d", r.GetName(), calls.Add(1))
		}
		return driver.CreateVolume(ctx, r)
	})
}

// answersAtOnce makes a driver that says something else of a volume to every call at once but the first.
func answersAtOnce(change func(*csi.Volume)) spectest.Fault {
	seen := &pending{calls: map[string]int{}}
	return spectest.On(func(ctx context.Context, driver right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		call := seen.count(r)
		response, err := driver.CreateVolume(ctx, r)
		if err == nil && 1 < call && call <= callsAtOnce {
			change(response.GetVolume())
		}
		return response, err
	})
}

// pending counts, for each of some requests, the calls that were made with it.
type pending struct {
	mu    sync.Mutex
	calls map[string]int
}

func (p *pending) count(request proto.Message) int {
	key := fmt.Sprintf("%T %v", request, request)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[key]++
	return p.calls[key]
}

// secondCalls makes a driver that refuses every call but the first and those after the calls at once.
func secondCalls(refusal error) spectest.Fault {
	return counting(func(call int) error {
		if 1 < call && call <= callsAtOnce {
			return refusal
		}
		return nil
	})
}

// staysLocked makes a driver that answers calls at once, and not the next one.
func staysLocked() spectest.Fault {
	return counting(func(call int) error {
		if call == callsAtOnce+1 {
			return status.Error(codes.Aborted, "another call is pending")
		}
		return nil
	})
}

// callsAtOnce is how many calls the cases make at once.
const callsAtOnce = 4

// counting makes a driver that refuses calls by how often the same request came before.
func counting(refuse func(call int) error) spectest.Fault {
	seen := &pending{calls: map[string]int{}}
	return counted(seen, refuse, right.CreateVolume).
		And(counted(seen, refuse, right.DeleteVolume)).
		And(counted(seen, refuse, right.ControllerPublishVolume)).
		And(counted(seen, refuse, right.NodeStageVolume))
}

func counted[Request, Response proto.Message](seen *pending, refuse func(call int) error,
	rpc func(right, context.Context, Request, ...grpc.CallOption) (Response, error),
) spectest.Fault {
	return spectest.On(func(ctx context.Context, driver right, r Request) (Response, error) {
		if err := refuse(seen.count(r)); err != nil {
			var none Response
			return none, err
		}
		return rpc(driver, ctx, r)
	})
}
