// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

type right = mutation.Right

// endpoints is the number of the driver's endpoints, each of which a case calls once.
const endpoints = 5

// wrongOfIdentity returns drivers that identify themselves wrongly.
func wrongOfIdentity() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"has a name that is no domain name": mutation.Wrong(
			saying(func(_ int, info *csi.GetPluginInfoResponse) { info.Name = "hostpath_topo" }),
			mutation.Fails("identity_name", "GI-01")),
		"has a long name": mutation.Wrong(
			saying(func(_ int, info *csi.GetPluginInfoResponse) { info.Name = strings.Repeat("h", 64) }),
			mutation.Fails("identity_name", "GI-01")),
		"has a name that is wrong on the last node": mutation.Wrong(saying(func(call int, info *csi.GetPluginInfoResponse) {
			if call%endpoints == 0 {
				info.Name = "hostpath/topo"
			}
		}), mutation.Fails("identity_name", "GI-01"), mutation.Warns("identity_one_name", "GI-03")),
		"has two names": mutation.Wrong(
			saying(func(call int, info *csi.GetPluginInfoResponse) { info.Name = fmt.Sprintf("hostpath-%d", call%2) }),
			mutation.Warns("identity_one_name", "GI-03")),
		"has another name at each call, and one endpoint": mutation.ExpectWide(mutation.Driver{
			Fault:  saying(func(call int, info *csi.GetPluginInfoResponse) { info.Name = fmt.Sprintf("hostpath-%d", call) }),
			Target: func(t *harness.Target) { t.Nodes = nil },
		}, mutation.Warns("identity_one_name", "GI-03")),
		"has no version": mutation.Wrong(saying(func(_ int, info *csi.GetPluginInfoResponse) { info.VendorVersion = "" }),
			mutation.Fails("identity_version", "GI-02")),
		"does not serve Identity on the last node": mutation.Wrong(onLastNode(codes.Unimplemented),
			mutation.Fails("identity_name identity_one_name identity_version identity_capabilities", "GI-03")),
		"does not serve GetPluginCapabilities on the last node": mutation.Wrong(claimingOnLastNode(codes.Unimplemented),
			mutation.Fails("identity_capabilities", "GI-03")),
		"is not well": mutation.Wrong(mutation.RefusingAll[*csi.ProbeRequest](codes.FailedPrecondition, "no disk"),
			mutation.Warns("identity_ready", "PR-01")),
		"is not well, by another code": mutation.Wrong(mutation.RefusingAll[*csi.ProbeRequest](codes.Internal, "no disk"),
			mutation.Warns("identity_ready", "PR-01 PR-02")),
		"is not well, and does not say why": mutation.Wrong(
			mutation.RefusingAll[*csi.ProbeRequest](codes.FailedPrecondition, ""), mutation.Fails("identity_ready", "GEN-15")),
		"has no Probe": mutation.Wrong(mutation.Unimplemented("Probe"), mutation.Fails("identity_ready", "PR-01")),
		"is never ready": mutation.Wrong(
			mutation.Instead(func(*csi.ProbeRequest) *csi.ProbeResponse { return &csi.ProbeResponse{Ready: wrapperspb.Bool(false)} }),
			mutation.Warns("identity_ready", "PR-01")),
		"is ready later": mutation.Wrong(notReadyAtFirst(&csi.ProbeResponse{Ready: wrapperspb.Bool(false)}, nil),
			mutation.Passes("identity_ready identity_capabilities")),
		"is well later": mutation.Wrong(notReadyAtFirst(nil, status.Error(codes.FailedPrecondition, "no disk yet")),
			mutation.Passes("identity_ready identity_capabilities")),
		"says nothing of being ready": mutation.Wrong(
			mutation.Instead(func(*csi.ProbeRequest) *csi.ProbeResponse { return &csi.ProbeResponse{} }),
			mutation.Passes("identity_ready")),
		"claims more at some endpoints": mutation.Wrong(claimingMore(sometimesOffline()),
			mutation.Fails("identity_capabilities", "PC-01")),
		"claims topology of snapshots once only": mutation.Wrong(claimsSnapshotsOnce(),
			mutation.Fails("identity_capabilities", "PC-01")),
		"claims more in another version": mutation.Wrong(
			claimingMore(sometimesOffline()).And(saying(func(call int, info *csi.GetPluginInfoResponse) { info.VendorVersion = fmt.Sprint(call) })),
			mutation.Passes("identity_capabilities")),
	}
}

// saying makes a driver that changes its answer about itself with the number of calls.
func saying(change func(call int, info *csi.GetPluginInfoResponse)) mutation.Fault {
	calls := 0
	return mutation.Answering(func(_ *csi.GetPluginInfoRequest, info *csi.GetPluginInfoResponse) {
		calls++
		change(calls, info)
	})
}

func onLastNode(code codes.Code) mutation.Fault {
	var calls atomic.Int64
	return mutation.RefusingSome(code, "not here", func(r *csi.GetPluginInfoRequest) bool { return calls.Add(1)%endpoints == 0 })
}

// claimingOnLastNode makes a driver that refuses GetPluginCapabilities at the last of its endpoints. The controller was
// already called once.
func claimingOnLastNode(code codes.Code) mutation.Fault {
	var calls atomic.Int64
	return mutation.RefusingSome(code, "not here", func(r *csi.GetPluginCapabilitiesRequest) bool {
		return calls.Add(1) == 1+endpoints
	})
}

// notReadyAtFirst makes a driver that answers the first calls of Probe with the response or the error, and refuses all
// others until it is ready.
func notReadyAtFirst(response *csi.ProbeResponse, err error) mutation.Fault {
	const asked = 3
	var calls atomic.Int64
	return mutation.OnAll(func(ctx context.Context, _ right, call mutation.Call) (proto.Message, error) {
		_, probed := call.Request.(*csi.ProbeRequest)
		switch {
		case probed && calls.Add(1) <= asked && err != nil:
			return nil, err
		case probed && calls.Load() <= asked:
			return response, nil
		case calls.Load() <= asked:
			return nil, status.Error(codes.Internal, "still starting")
		default:
			return call.Perform(ctx)
		}
	})
}

// claimingMore makes a driver that claims further capabilities.
func claimingMore(more func() []*csi.PluginCapability) mutation.Fault {
	return mutation.Answering(func(_ *csi.GetPluginCapabilitiesRequest, response *csi.GetPluginCapabilitiesResponse) {
		response.Capabilities = append(response.GetCapabilities(), more()...)
	})
}

// sometimesOffline returns a function that returns the capability OFFLINE for every other call.
func sometimesOffline() func() []*csi.PluginCapability {
	calls := 0
	return func() []*csi.PluginCapability {
		if calls++; calls%2 == 0 {
			return nil
		}
		return offline()
	}
}

// claimsSnapshotsOnce makes a driver that forgets a claim after the first call.
func claimsSnapshotsOnce() mutation.Fault {
	var calls atomic.Int64
	return mutation.Answering(func(_ *csi.GetPluginCapabilitiesRequest, response *csi.GetPluginCapabilitiesResponse) {
		response.Capabilities = slices.DeleteFunc(response.GetCapabilities(), func(c *csi.PluginCapability) bool {
			return c.GetService().GetType() == csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS && calls.Load() > 0
		})
		calls.Add(1)
	})
}

func offline() []*csi.PluginCapability {
	return []*csi.PluginCapability{{Type: &csi.PluginCapability_VolumeExpansion_{
		VolumeExpansion: &csi.PluginCapability_VolumeExpansion{Type: csi.PluginCapability_VolumeExpansion_OFFLINE},
	}}}
}

// wrongOfSockets returns drivers with sockets that too many users can connect to.
func wrongOfSockets() map[string]mutation.Expectation {
	const everyUser, reached, closed = 0o777, 0o755, 0o700
	return map[string]mutation.Expectation{
		"its socket is open to every user": mutation.Expect(mutation.Driver{Running: opening(everyUser, reached)},
			mutation.Warns("identity_socket_closed", "GEN-19")),
		"its socket is open to every user, in a directory that is not": mutation.Expect(mutation.Driver{Running: opening(everyUser, closed)},
			mutation.Passes("identity_socket_closed")),
	}
}

// opening gives the controller's socket, and its directory, these modes. If others can reach the directory, its parents are
// made reachable too.
func opening(socket, directory os.FileMode) func(*embedded.Driver, *harness.Target) {
	const others = 0o001
	return func(driver *embedded.Driver, _ *harness.Target) {
		path := strings.TrimPrefix(driver.Controller, "unix://")
		err := errors.Join(os.Chmod(path, socket), os.Chmod(filepath.Dir(path), directory))
		for above := filepath.Dir(filepath.Dir(path)); err == nil && directory&others != 0; above = filepath.Dir(above) {
			var info os.FileInfo
			if info, err = os.Stat(above); err != nil || info.Mode()&others != 0 {
				break
			}
			err = os.Chmod(above, info.Mode().Perm()|others)
		}
		if err != nil {
			panic(err)
		}
	}
}
