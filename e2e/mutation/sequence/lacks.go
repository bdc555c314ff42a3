// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Lacking returns right drivers, or environments, that lack something.
func Lacking() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"one segment": mutation.Started(mutation.InZones("Z2"), mutation.Passes(id)),
		"no topology": mutation.Expect(mutation.Driver{Options: mutation.InZones("Z2"), Fault: mutation.Lacking(mutation.Topology...)},
			mutation.Passes(id)),
		"no capability CREATE_DELETE_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
			mutation.Skips(id, suite.ByCapability)),
		"no capability GET_CAPACITY":             without(csi.ControllerServiceCapability_RPC_GET_CAPACITY),
		"no capability LIST_VOLUMES":             without(csi.ControllerServiceCapability_RPC_LIST_VOLUMES),
		"no capability EXPAND_VOLUME":            without(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME),
		"no capability PUBLISH_UNPUBLISH_VOLUME": without(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME),
		"capacity that changes for other reasons": mutation.Told(func(t *harness.Target) { t.Profile.Capacity = profile.AtLeast },
			mutation.Passes(id)),
		"a hook that exhausts segments": mutation.Told(func(t *harness.Target) { t.Exhaust = noHook{} }, mutation.Passes(id)),
		"volumes that are small beside what there is": mutation.Expect(mutation.Driver{
			Options: func(o *embedded.Options) { o.BytesPerSegment, o.Sizes.MaximumBytes = ample, 4*unit },
			Target:  func(t *harness.Target) { t.Steps = steps },
		}, mutation.Passes(id)),
		"waived: volumes in use are deleted": mutation.Expect(mutation.Driver{Fault: deletesInUse(), Target: waiving("DV-05")},
			mutation.Skips(id, suite.ByWaiver)),
		"waived: volumes in use are deleted, and another fault": mutation.Expect(mutation.Driver{Fault: deletesInUse().And(validatesDeleted()), Target: waiving("DV-05")},
			mutation.Fails(id, "VV-03")),
		"waived: volumes grow beyond the room": mutation.Expect(mutation.Driver{Fault: mutation.Ending(func(r *csi.ControllerExpandVolumeRequest, response *csi.ControllerExpandVolumeResponse, err error) (*csi.ControllerExpandVolumeResponse, error) {
			if code := status.Code(err); code == codes.ResourceExhausted || code == codes.OutOfRange {
				return &csi.ControllerExpandVolumeResponse{CapacityBytes: r.GetCapacityRange().GetRequiredBytes()}, nil
			}
			return response, err
		}), Target: waiving("CE-19", "CE-13", "CREATE-06", "CV-02", "NE-01")}, mutation.Skips(id, suite.ByWaiver)),
		"waived: whatever was asked under a name": mutation.Expect(mutation.Driver{Fault: mutation.Retrying(codes.AlreadyExists, func(r *csi.CreateVolumeRequest) { r.Name += "-again" }), Target: waiving("CREATE-06", "CV-02", "CV-03")},
			mutation.Skips(id, suite.ByWaiver)),
		"another seed": mutation.Told(func(t *harness.Target) { t.Seed, t.Steps = 51, steps }, mutation.Passes(id)),
	}
}

func without(lacking csi.ControllerServiceCapability_RPC_Type) mutation.Expectation {
	return mutation.Wrong(mutation.Lacking(lacking), mutation.Passes(id))
}

// noHook is a hook that must not be called: the case fills nothing if there is a hook.
type noHook struct{}

func (noHook) Exhaust(context.Context, map[string]string) error  { return nil }
func (noHook) GiveBack(context.Context, map[string]string) error { return nil }
