// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/suite"
	edge "github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

// call is one RPC of csi-sanity and its answer.
type call struct {
	rpc               string
	request, response proto.Message
	err               error
}

func (c call) code() codes.Code { return status.Code(c.err) }

// run is one run of csi-sanity, in one segment. Its cases run one at a time.
type run struct {
	amender
	controller grpc.ClientConnInterface
	lent       *harness.Lent
	context    *sanity.TestContext
	// ended is done when the run is over.
	ended context.Context //nolint:containedctx // csi-sanity gives its calls no context of the run
	// spec is the running case.
	spec *edge.Spec

	at      place                // of the case that runs
	last    call                 // of that case
	uses    map[string]bool      // of volumes, begun and not ended by the case
	refused call                 // the first call of a clean-up that failed to end one of them
	warned  bool                 // of capabilities that are not known
	left    map[string]bool      // objects that the case has created and not deleted, by kind and id
	pending map[string]time.Time // since when the case has waited for a snapshot to be ready to use, by name
}

// through returns an interceptor that sends csi-sanity's calls through the suite's own connection: with a time limit, and
// repeated with the same request while the driver answers that it is not done.
func (r *run) through(conn grpc.ClientConnInterface) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, request, reply any, _ *grpc.ClientConn, _ grpc.UnaryInvoker, options ...grpc.CallOption) error {
		// An amended copy: csi-sanity compares answers with the very request that it sent.
		sent, response := r.amended(request.(proto.Message)), reply.(proto.Message)
		ctx, cancel := context.WithCancel(attempt.Tolerant(ctx))
		defer cancel()
		defer context.AfterFunc(r.ended, cancel)() //nolint:contextcheck // the end of the run is not that of the call
		cleansUp := r.at == (place{})
		// csi-sanity cleans up only one target path, regardless of what it has published, and continues after a refusal.
		if cleansUp && (r.lent.MayTouch(sent) != nil || !r.lent.Precede(ctx, sent)) {
			return nil // the end of the run reports it
		}
		if _, attaches := sent.(*csi.ControllerPublishVolumeRequest); attaches {
			if err := r.lent.Attaching(ctx); err != nil {
				return status.FromContextError(err).Err()
			}
		}
		err := conn.Invoke(patient(ctx, sent), method, sent, response, options...)
		r.last = call{path.Base(method), sent, response, err}
		if err != nil && cleansUp && !r.lent.HasLeft(sent) {
			return nil // csi-sanity undoes calls that it never made, and the cases about that judge the answer
		}
		r.noteUse(r.last)
		if err != nil {
			r.skipUnclaimed(ctx)
			return err
		}
		r.learn(sent, response)
		r.enter(sent, response)
		r.leaveOutUnknown(ctx, response)
		return r.awaitReady(sent, response)
	}
}

// enter records the object that a call has created, until another call deletes it.
func (r *run) enter(request, response proto.Message) {
	if !r.lent.IsOwn(response) {
		return
	}
	switch m := response.(type) {
	case *csi.CreateVolumeResponse:
		r.left["volume "+m.GetVolume().GetVolumeId()] = true
	case *csi.CreateSnapshotResponse:
		r.left["snapshot "+m.GetSnapshot().GetSnapshotId()] = true
	}
	switch m := request.(type) {
	case *csi.DeleteVolumeRequest:
		delete(r.left, "volume "+m.GetVolumeId())
	case *csi.DeleteSnapshotRequest:
		delete(r.left, "snapshot "+m.GetSnapshotId())
	}
}

// mustLeaveNothing ends the case as an error, with their names, if it made volumes or snapshots that csi-sanity could not
// delete. It ignores objects of others.
func (r *run) mustLeaveNothing() {
	left := slices.Sorted(maps.Keys(r.left))
	clear(r.left)
	clear(r.uses)
	if len(left) > 0 {
		suite.CouldNotTell("what csi-sanity created is left in the driver: %s", strings.Join(left, ", "))
	}
}

// patient returns the context of a call that is repeated like sidecars' calls. A list from a starting_token is not repeated
// after ABORTED, which means that the token is invalid.
func patient(ctx context.Context, request proto.Message) context.Context {
	if list, isList := request.(interface{ GetStartingToken() string }); isList && list.GetStartingToken() != "" {
		return attempt.Once(ctx, codes.Aborted)
	}
	return ctx
}

// awaitReady ends csi-sanity's wait for a snapshot to be ready to use, which has no time limit.
func (r *run) awaitReady(request, response proto.Message) error {
	asked, isCreation := request.(*csi.CreateSnapshotRequest)
	if !isCreation || response.(*csi.CreateSnapshotResponse).GetSnapshot().GetReadyToUse() {
		return nil
	}
	since, known := r.pending[asked.GetName()]
	if !known {
		r.pending[asked.GetName()] = time.Now()
		return nil
	}
	if limit := r.target.Timeouts.SnapshotReady; time.Since(since) > limit {
		r.last.err = status.Errorf(codes.DeadlineExceeded, "the snapshot is not ready to use after %s", limit)
	}
	return r.last.err
}

// skipUnclaimed skips a case with calls that the driver does not claim: csi-sanity does not check this before some of its
// calls.
func (r *run) skipUnclaimed(ctx context.Context) {
	if r.last.code() != codes.Unimplemented {
		return
	}
	switch r.last.request.(type) {
	case *csi.ControllerGetCapabilitiesRequest, *csi.ValidateVolumeCapabilitiesRequest:
		if !r.claimsController(ctx) {
			suite.Skip(suite.ByCapability, "the driver does not claim CONTROLLER_SERVICE")
		}
	case *csi.CreateVolumeRequest:
		if !r.claims(ctx, csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
			suite.Skip(suite.ByCapability, "the driver does not claim CREATE_DELETE_VOLUME")
		}
	case *csi.NodeGetInfoRequest:
		if !r.claims(ctx, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
			suite.Skip(suite.ByCapability, "the driver does not claim PUBLISH_UNPUBLISH_VOLUME, without which it need not have NodeGetInfo (NI-01)")
		}
	}
}

func (r *run) claimsController(ctx context.Context) bool {
	identity := csi.NewIdentityClient(r.controller)
	response, err := identity.GetPluginCapabilities(ctx, &csi.GetPluginCapabilitiesRequest{})
	return err != nil || slices.ContainsFunc(response.GetCapabilities(), func(c *csi.PluginCapability) bool {
		return c.GetService().GetType() == csi.PluginCapability_Service_CONTROLLER_SERVICE
	})
}

func (r *run) claims(ctx context.Context, capability csi.ControllerServiceCapability_RPC_Type) bool {
	if !r.claimsController(ctx) {
		return false
	}
	controller := csi.NewControllerClient(r.controller)
	response, err := controller.ControllerGetCapabilities(ctx, &csi.ControllerGetCapabilitiesRequest{})
	return err != nil || slices.ContainsFunc(response.GetCapabilities(), func(c *csi.ControllerServiceCapability) bool {
		return c.GetRpc().GetType() == capability
	})
}
