package identity_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

type right = spectest.Right

// wrong is a driver with a fault that the named cases see, and no others.
func wrong(fault spectest.Fault, cases ...spectest.Case) spectest.Expectation {
	return spectest.Expectation{Driver: spectest.Driver{Fault: fault}, Cases: cases}
}

// endpoints is how many the driver has, each of which a case asks once.
const endpoints = 5

// wrongOfIdentity are drivers that do not know who they are.
func wrongOfIdentity() map[string]spectest.Expectation {
	return map[string]spectest.Expectation{
		"has a name that is no domain name": wrong(
			saying(func(_ int, info *csi.GetPluginInfoResponse) { info.Name = "hostpath_topo" }),
			spectest.Fails("identity_name", `the name of a plugin is in domain name notation (GI-01), and that of the controller is "hostpath_topo"`)),
		"has a long name": wrong(
			saying(func(_ int, info *csi.GetPluginInfoResponse) { info.Name = strings.Repeat("h", 64) }),
			spectest.Fails("identity_name", "it has 64 characters and may have 63")),
		"has a name that is wrong on the last node": wrong(
			saying(func(call int, info *csi.GetPluginInfoResponse) {
				if call%endpoints == 0 {
					info.Name = "hostpath/topo"
				}
			}),
			spectest.Fails("identity_name", "that of node node-4"),
			spectest.Warns("identity_one_name", `and "hostpath/topo" at node node-4`)),
		"has two names": wrong(
			saying(func(call int, info *csi.GetPluginInfoResponse) { info.Name = fmt.Sprintf("hostpath-%d", call%2) }),
			spectest.Warns("identity_one_name", "a CO takes it for two (GI-03)")),
		"has no version": wrong(
			saying(func(_ int, info *csi.GetPluginInfoResponse) { info.VendorVersion = "" }),
			spectest.Fails("identity_version", "vendor_version is REQUIRED (GI-02)")),
		"is not well": wrong(
			probing(func() (*csi.ProbeResponse, error) { return nil, status.Error(codes.FailedPrecondition, "no disk") }),
			spectest.Fails("identity_ready", "Probe is implemented, and well (PR-01)")),
		"is not ready": wrong(
			probing(func() (*csi.ProbeResponse, error) { return &csi.ProbeResponse{Ready: wrapperspb.Bool(false)}, nil }),
			spectest.Warns("identity_ready", "says that it is not ready for them (PR-01)")),
		"says nothing of being ready": wrong(
			probing(func() (*csi.ProbeResponse, error) { return &csi.ProbeResponse{}, nil }),
			spectest.Passes("identity_ready", "")),
		"claims more at some endpoints": wrong(
			claimingMore(sometimesOffline()),
			spectest.Fails("identity_capabilities", "all instances of one version claim the same capabilities (PC-01)")),
		"claims topology of snapshots once only": wrong(
			claimsSnapshotsOnce(),
			spectest.Fails("identity_capabilities", "SNAPSHOT_ACCESSIBILITY_CONSTRAINTS: false, and did when the run began: true (PC-01)")),
		"claims more in another version": wrong(
			claimingMore(sometimesOffline()).And(saying(func(call int, info *csi.GetPluginInfoResponse) { info.VendorVersion = fmt.Sprint(call) })),
			spectest.Passes("identity_capabilities", "")),
	}
}

// saying makes a driver that says something else of itself, the more often it is asked.
func saying(change func(call int, info *csi.GetPluginInfoResponse)) spectest.Fault {
	calls := 0
	return spectest.On(func(ctx context.Context, driver right, r *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
		info, err := driver.GetPluginInfo(ctx, r)
		if err == nil {
			calls++
			change(calls, info)
		}
		return info, err
	})
}

func probing(answer func() (*csi.ProbeResponse, error)) spectest.Fault {
	return spectest.On(func(context.Context, right, *csi.ProbeRequest) (*csi.ProbeResponse, error) { return answer() })
}

// claimingMore makes a driver that claims further capabilities.
func claimingMore(more func() []*csi.PluginCapability) spectest.Fault {
	return spectest.On(func(ctx context.Context, driver right, r *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
		response, err := driver.GetPluginCapabilities(ctx, r)
		if err == nil {
			response.Capabilities = append(response.GetCapabilities(), more()...)
		}
		return response, err
	})
}

// sometimesOffline are the capability OFFLINE for every other call.
func sometimesOffline() func() []*csi.PluginCapability {
	calls := 0
	return func() []*csi.PluginCapability {
		if calls++; calls%2 == 0 {
			return nil
		}
		return offline()
	}
}

// claimsSnapshotsOnce makes a driver that forgets a claim after it was asked first.
func claimsSnapshotsOnce() spectest.Fault {
	var calls atomic.Int64
	return withoutCapabilities(func(c *csi.PluginCapability) bool {
		return c.GetService().GetType() == csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS && calls.Add(1) > 1
	})
}

func offline() []*csi.PluginCapability {
	return []*csi.PluginCapability{{Type: &csi.PluginCapability_VolumeExpansion_{
		VolumeExpansion: &csi.PluginCapability_VolumeExpansion{Type: csi.PluginCapability_VolumeExpansion_OFFLINE},
	}}}
}
