// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestARefusedCleanUp checks that a clean-up of csi-sanity continues after a refusal, and that a published volume is not
// removed.
func TestARefusedCleanUp(t *testing.T) {
	for _, c := range []struct {
		name     string
		refusals int64 // of NodeUnpublishVolume, one after another
		code     codes.Code
		want     suite.Verdict
		clauses  []string
	}{
		{"at the first attempt", 1, codes.Unknown, suite.Failed, []string{"NS-16"}},
		{"for good", 1000, codes.Unknown, suite.Failed, []string{"NS-16"}},
		{"for want of secrets", 1, codes.PermissionDenied, suite.Errored, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var published, refused atomic.Int64
			mustNotBePublished := func(call string) {
				if published.Load() != 0 {
					t.Errorf("%s while the volume is published", call)
				}
			}
			result := runOn(t, mutation.Driver{
				Focus: "Node Service should be idempotent",
				Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
					published.Store(1)
					return right.NodePublishVolume(ctx, r)
				}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
					if published.Load() == 1 && refused.Add(1) <= c.refusals {
						return nil, status.Error(c.code, "device or resource busy")
					}
					published.Store(0)
					return right.NodeUnpublishVolume(ctx, r)
				})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
					mustNotBePublished("NodeUnstageVolume")
					return right.NodeUnstageVolume(ctx, r)
				})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
					mustNotBePublished("ControllerUnpublishVolume")
					return right.ControllerUnpublishVolume(ctx, r)
				})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
					mustNotBePublished("DeleteVolume")
					return right.DeleteVolume(ctx, r)
				})),
			})
			ran := slices.DeleteFunc(result.Cases, func(one report.Case) bool { return one.Verdict == suite.Skipped })
			if len(ran) != 1 || ran[0].Verdict != c.want || !slices.Equal(ran[0].Blamed, c.clauses) {
				t.Errorf("got %+v, want one case %s by %q", ran, c.want, c.clauses)
			}
		})
	}
}
