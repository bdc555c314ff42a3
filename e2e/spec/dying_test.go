// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	diesHalfWay  = "a driver that dies half-way"
	diesOfStage  = "a driver that dies of NodeStageVolume and is started again"
	hangsInStage = "a driver that never answers NodeStageVolume"
)

// dying are drivers that die of a call, or never answer it.
var dying = map[string]mutation.Driver{
	diesHalfWay: {Target: unrestarted, Running: dieAfter(1500)},
	diesOfStage: {Focus: someOfNode, Fault: mutation.On(func(context.Context, mutation.Right, *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
		return nil, status.Error(codes.Unavailable, "error reading from server: EOF")
	})},
	hangsInStage: {Focus: someOfNode, Target: mutation.Hurry, Fault: mutation.On(func(ctx context.Context, _ mutation.Right, _ *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
		<-ctx.Done()
		return nil, status.FromContextError(ctx.Err()).Err()
	})},
}

// someOfNode lists cases; some of them stage volumes.
const someOfNode = "stage_again|stage_unknown|publish_again|node_id_|size_omitted|detach_again"

// notAnswered lists the clauses that a driver contradicts if it does not answer a call.
var notAnswered = []string{"GEN-08"}

// unrestarted keeps cases from restarting the driver, which would not die then.
func unrestarted(t *harness.Target) { t.Restart = nil }

// TestADriverThatDies checks that only the case about the whole run fails, because no call was in flight, that no later case
// is run, and that a running case ends as an error.
func TestADriverThatDies(t *testing.T) {
	t.Parallel()
	result := spectest.Run(t, spec.Areas(), dying[diesHalfWay])
	failed, ran, sentences := "", 0, map[string]int{}
	for _, c := range result.Cases {
		switch {
		case c.Verdict == suite.Failed:
			failed = c.ID
			if !slices.Equal(c.Blamed, notAnswered) {
				t.Errorf("case %s is about %v\n%s", c.ID, c.Blamed, c.Message)
			}
		case c.Verdict == suite.Errored && c.Reason == suite.CouldNot:
			ran++
		case c.Verdict == suite.Errored:
			sentences[c.Reason+": "+c.Message]++
		}
	}
	if got := result.Summary; got.Fail != 1 || got.Pass == 0 || got.Warn > 0 {
		t.Errorf("got %+v, want cases that passed before the driver died, and the one of which it died failed", got)
	}
	want := suite.NotRun + ": the driver has stopped answering: see the case " + failed
	if len(sentences) != 1 || ran > 1 || sentences[want] != result.Summary.Error-ran || sentences[want] == 0 {
		t.Errorf("%d cases could not tell, want one at most; the others say %v, want all later ones to say %q", ran, sentences, want)
	}
	if got := report.ExitCode(result); got != report.ExitFailed {
		t.Errorf("exit status %d, want 1", got)
	}
}

// TestADriverThatDoesNotAnswerOneCall checks that each case that makes the call and needs it fails, and that the others are
// run. A driver may wait for a volume that is not there: stage_unknown_volume warns that the code is not NOT_FOUND.
func TestADriverThatDoesNotAnswerOneCall(t *testing.T) {
	t.Parallel()
	for _, name := range []string{diesOfStage, hangsInStage} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := spectest.Run(t, spec.Areas(), dying[name])
			for _, c := range result.Cases {
				waits := name == hangsInStage && c.ID == "stage_unknown_volume"
				if c.Verdict == suite.Failed && (waits || !slices.Equal(c.Blamed, notAnswered)) || c.Verdict == suite.Errored || c.Verdict == suite.Warned && !waits {
					t.Errorf("case %s: %s %v %s\n%s", c.ID, c.Verdict, c.Blamed, c.Reason, c.Message)
				}
			}
			if got := result.Summary; got.Fail < 3 || got.Pass < 3 {
				t.Errorf("got %+v, want the cases that stage a volume failed, and the others passed", got)
			}
			t.Logf("%+v", result.Summary)
		})
	}
}

// TestADriverThatNeverAnswersDeleteVolume checks that only the first case that calls DeleteVolume, and the cases about it,
// fail: the others are not at fault if nothing can be removed.
func TestADriverThatNeverAnswersDeleteVolume(t *testing.T) {
	t.Parallel()
	result := spectest.Run(t, spec.Areas(), mutation.Driver{
		Focus: "size_omitted|size_exact|name_longest|validate_confirms|stage_again|list_volumes_pages",
		Target: func(target *harness.Target) {
			mutation.Hurry(target)
			target.Profile.Exclusive, target.Profile.Capacity = false, profile.AtLeast
		},
		Fault: mutation.On(func(ctx context.Context, _ mutation.Right, _ *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
			<-ctx.Done()
			return nil, status.FromContextError(ctx.Err()).Err()
		}),
	})
	for _, c := range result.Cases {
		if c.Verdict == suite.Failed && !slices.Equal(c.Blamed, notAnswered) || c.Verdict == suite.Errored {
			t.Errorf("case %s: %s %v %s\n%s", c.ID, c.Verdict, c.Blamed, c.Reason, c.Message)
		}
	}
	if got := result.Summary; got.Fail != 1 || got.Pass+got.Warn < 3 {
		t.Errorf("got %+v, want one case failed and the others passed", got)
	}
}

// dieAfter ends the driver at a call of its controller.
func dieAfter(calls int64) func(*embedded.Driver, *harness.Target) {
	return func(driver *embedded.Driver, target *harness.Target) {
		target.Controller = &mortal{ClientConnInterface: target.Controller, left: calls, die: sync.OnceFunc(func() { _ = driver.Stop() })}
	}
}

type mortal struct {
	grpc.ClientConnInterface
	left int64
	die  func()
}

// Invoke ends the driver before the call, when it is time.
func (m *mortal) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	if atomic.AddInt64(&m.left, -1) < 0 {
		m.die()
	}
	return m.ClientConnInterface.Invoke(ctx, method, request, response, opts...)
}
