// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

func TestRepetitions(t *testing.T) {
	says := func(code codes.Code, message string, times int) func(int) (proto.Message, error) {
		return func(earlier int) (proto.Message, error) {
			if times < 0 || earlier < times {
				return nil, status.Error(code, message)
			}
			return &csi.DeleteVolumeResponse{}, nil
		}
	}
	const forEver = -1
	info := func(int) (proto.Message, error) { return &csi.GetPluginInfoResponse{}, nil }
	dead := func(int) (proto.Message, error) { return nil, status.Error(codes.Unavailable, "connection refused") }
	for _, c := range []struct {
		name     string
		remove   func(int) (proto.Message, error)
		identity func(int) (proto.Message, error)
		ctx      func(context.Context) context.Context
		want     codes.Code
		attempts int    // 0 for any number above 2
		fails    bool   // the driver has failed the case
		says     string // why there is no answer to judge; empty where there is one
	}{
		{"an answer", says(codes.OK, "", 0), info, nil, codes.OK, 1, false, ""},
		{"ABORTED at first", says(codes.Aborted, "pending", 2), info, nil, codes.OK, 3, false, ""},
		{"DEADLINE_EXCEEDED at first", says(codes.DeadlineExceeded, "slow", 2), info, nil, codes.OK, 3, false, ""},
		{"UNAVAILABLE at first", says(codes.Unavailable, "busy", 2), info, nil, codes.OK, 3, false, ""},
		{"RESOURCE_EXHAUSTED at first", says(codes.ResourceExhausted, "too many calls", 2), info, nil, codes.OK, 3, false, ""},
		{"RESOURCE_EXHAUSTED for ever", says(codes.ResourceExhausted, "too many calls", forEver), info, nil, codes.ResourceExhausted, 0, false, ""},
		{"another refusal", says(codes.FailedPrecondition, "in use", forEver), info, nil, codes.FailedPrecondition, 1, false, ""},
		{"ABORTED for ever", says(codes.Aborted, "pending", forEver), info, nil, codes.Aborted, 0, false, "did not succeed within 100ms"},
		{"ABORTED, which the case judges", says(codes.Aborted, "pending", forEver), info, judges(codes.Aborted), codes.Aborted, 1, false, ""},
		{"UNAVAILABLE, where the case judges ABORTED", says(codes.Unavailable, "busy", 1), info, judges(codes.Aborted), codes.OK, 2, false, ""},
		{"any answer, which the case judges", says(codes.Unavailable, "busy", forEver), info, judges(), codes.Unavailable, 1, false, ""},
		{"the connection breaks once", says(codes.Unavailable, "error reading from server: EOF", 1), info, nil, codes.OK, 2, false, ""},
		{"the connection breaks again", says(codes.Unavailable, "error reading from server: EOF", forEver), info, nil, codes.Unavailable, 2, true, "the driver's process ended, or closed the connection, during DeleteVolume"},
		{"the driver is gone", says(codes.Unavailable, "connection refused", forEver), dead, nil, codes.Unavailable, 1, true, "the driver stopped answering during DeleteVolume"},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			driver := &answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){"DeleteVolume": c.remove, "GetPluginInfo": c.identity}}
			const limit = 100 * time.Millisecond
			spool, err := wire.NewSpool(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = spool.Close() })
			d := connect(&Target{Controller: driver, Calls: spool, Timeouts: profile.Timeouts{Provision: limit, Restart: limit}}, &health.Health{}, "case")
			ctx := attempt.Tolerant(t.Context())
			if c.ctx != nil {
				ctx = c.ctx(ctx)
			}
			_, err = d.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: "v"})
			if status.Code(err) != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if got := driver.made["DeleteVolume"]; c.attempts > 0 && got != c.attempts || got <= 2 && c.attempts == 0 {
				t.Errorf("got %d attempts, want %d", got, c.attempts)
			}
			var none *attempt.NoAnswer
			if errors.As(err, &none) != (c.says != "") || none != nil && (none.Fails != c.fails || !strings.Contains(none.Text, c.says)) {
				t.Errorf("got %+v, want %q", none, c.says)
			}
			if got := (d.silent.Load() != nil); got != c.fails {
				t.Errorf("the driver has failed the case: %t, want %t", got, c.fails)
			}
			if got, want := d.calls.Len(), driver.made["DeleteVolume"]+driver.made["GetPluginInfo"]; got != want {
				t.Errorf("%d calls are recorded, want %d", got, want)
			}
		})
	}
}

func judges(codes ...codes.Code) func(context.Context) context.Context {
	return func(ctx context.Context) context.Context { return attempt.Once(ctx, codes...) }
}

// TestACallWithoutAnswer checks that a call that is never answered fails the case, unless the run cuts it short.
func TestACallWithoutAnswer(t *testing.T) {
	hangs := func(int) (proto.Message, error) {
		return nil, status.Error(codes.DeadlineExceeded, "context deadline exceeded")
	}
	for _, c := range []struct {
		name  string
		limit time.Duration // of the call
		fails bool
	}{
		{"the call's limit ends", 10 * time.Millisecond, true},
		{"the run ends", time.Hour, false},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(attempt.Tolerant(t.Context()), 100*time.Millisecond)
			defer cancel()
			driver := &hanging{answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){
				"DeleteVolume":  hangs,
				"GetPluginInfo": func(int) (proto.Message, error) { return &csi.GetPluginInfoResponse{}, nil },
			}}}
			d := connect(&Target{Controller: driver, Timeouts: profile.Timeouts{Provision: c.limit, Restart: time.Second}}, &health.Health{}, "case")
			_, err := d.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: "v"})
			var none *attempt.NoAnswer
			if !errors.As(err, &none) || none.Fails != c.fails {
				t.Errorf("got %+v, want that the driver fails: %t", none, c.fails)
			}
		})
	}
}

// TestACallThatWaitsInVain checks that a case does not fail if a node waits for a volume that the case has not published
// there.
func TestACallThatWaitsInVain(t *testing.T) {
	const refusal, provision = 20 * time.Second, 5 * time.Minute
	for _, c := range []struct {
		name   string
		staged bool
		took   time.Duration
	}{
		{"the volume is not on the node", false, refusal},
		{"the volume is on the node", true, provision},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			driver := &hanging{answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){
				"NodeExpandVolume": func(int) (proto.Message, error) {
					return nil, status.Error(codes.DeadlineExceeded, "context deadline exceeded")
				},
				"GetPluginInfo": func(int) (proto.Message, error) { return &csi.GetPluginInfoResponse{}, nil },
			}}}
			d := connect(&Target{Nodes: []grpc.ClientConnInterface{driver}, Timeouts: profile.Timeouts{Provision: provision, Restart: time.Second, Refusal: refusal}}, &health.Health{}, "case")
			if c.staged {
				enterStaging(d, d.Nodes[0], &csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: "/staging"})
			}
			began := time.Now()
			_, err := d.Nodes[0].NodeExpandVolume(attempt.Tolerant(t.Context()), &csi.NodeExpandVolumeRequest{VolumeId: "v"})
			var none *attempt.NoAnswer
			if fails := errors.As(err, &none) && none.Fails; fails != c.staged || status.Code(err) != codes.DeadlineExceeded {
				t.Errorf("got %v, want DEADLINE_EXCEEDED that fails the case: %t", err, c.staged)
			}
			if took := time.Since(began); took != c.took {
				t.Errorf("it took %s, want %s", took, c.took)
			}
		})
	}
}

// hanging simulates a driver that answers DeleteVolume and NodeExpandVolume when the context ends.
type hanging struct{ answers }

// Invoke waits for the end of the context if the call is one of these.
func (h *hanging) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	switch request.(type) {
	case *csi.DeleteVolumeRequest, *csi.NodeExpandVolumeRequest:
		<-ctx.Done()
	}
	return h.answers.Invoke(ctx, method, request, response, opts...)
}

// punctual simulates a driver that takes 20 s to answer RESOURCE_EXHAUSTED, and that answers DEADLINE_EXCEEDED a moment
// before the deadline.
type punctual struct{}

func (punctual) Invoke(ctx context.Context, _ string, _, _ any, _ ...grpc.CallOption) error {
	const takes, moment = 20 * time.Second, 10 * time.Millisecond
	deadline, _ := ctx.Deadline()
	if left := time.Until(deadline) - moment; left < takes {
		<-time.After(left)
		return status.Error(codes.DeadlineExceeded, "too late")
	}
	<-time.After(takes)
	return status.Error(codes.ResourceExhausted, "rate exceeded")
}

func (punctual) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	panic("not a CSI call")
}

// TestTheLimitIsNoAnswer checks that earlier answers count if the limit cuts the last attempt, regardless of which side
// notices first.
func TestTheLimitIsNoAnswer(t *testing.T) {
	onFakeTime(t, "the driver notices first", func(t *testing.T) {
		const limit = 50 * time.Second
		d := connect(&Target{Controller: punctual{}, Timeouts: profile.Timeouts{Provision: limit, Query: limit}}, &health.Health{}, "case")
		_, err := d.Controller.DeleteVolume(attempt.Tolerant(t.Context()), &csi.DeleteVolumeRequest{VolumeId: "v"})
		if status.Code(err) != codes.ResourceExhausted {
			t.Errorf("want RESOURCE_EXHAUSTED, which was answered twice, got %v", err)
		}
	})
}
