// SPDX-License-Identifier: Apache-2.0

// Package sequence has faulty drivers that sequences of generated requests find, and correct drivers that they must pass.
package sequence

import (
	"context"
	"maps"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	id    = "generated_sequence"
	steps = 800
	// ample is the room for drivers that lose some of it in every attempt.
	ample = 1 << 36
)

// Sequence is the expected result of the case for a driver that only sequences find.
type Sequence struct {
	fault mutation.Fault
	// Clauses are the clauses that its answers may contradict, space separated. Steps is the maximum length of the shortest
	// sequence; 0 if the fault is not reproducible.
	Clauses string
	Steps   int
}

// Sequences returns all drivers that only sequences find, by their names among Drivers.
func Sequences() map[string]Sequence {
	all := map[string]Sequence{}
	for _, some := range []map[string]Sequence{faultsOfVolumes(), faultsOfSnapshots(), faultsOfNodes(), faultsAtOnce()} {
		maps.Copy(all, some)
	}
	return all
}

// Drivers returns the faulty drivers, and correct drivers that lack something. For the drivers of Sequences, the case fails
// by some of the expected clauses, not by all.
func Drivers() map[string]mutation.Expectation {
	all := mutation.Union(Lacking(), Twice())
	for name, wrong := range Sequences() {
		fault := wrong.fault
		if _, together := faultsAtOnce()[name]; !together {
			fault = fault.Serially()
		}
		all[name] = mutation.Expectation{
			Driver: mutation.Driver{
				Fault: fault, Options: func(o *embedded.Options) { o.BytesPerSegment, o.Sizes = ample, service.Sizes{} },
				Target: func(t *harness.Target) { t.Steps, t.Timeouts.Generated = steps, 3*time.Minute },
			},
			Cases: []mutation.Case{mutation.Fails(id, wrong.Clauses)}, AnyClause: true,
		}
	}
	return all
}

// Twice returns drivers with two faults.
func Twice() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"wrong about deleted volumes, and about deleted snapshots": mutation.Expect(mutation.Driver{Fault: validatesDeleted().And(deletesSnapshotsOnce()), Target: waiving()},
			mutation.Fails(id, "VV-03 DS-02")),
		"wrong about deleted volumes, for which there is no time": mutation.Expect(mutation.Driver{Fault: validatesDeleted(), Target: func(t *harness.Target) { t.Steps, t.Timeouts.Generated = steps, 1 }},
			mutation.Passes(id)),
	}
}

// Lacking returns correct drivers, or environments, that lack something.
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

// waiving returns a profile that waives the requirements.
func waiving(ids ...string) func(*harness.Target) {
	return func(t *harness.Target) {
		t.Seed, t.Steps = 2, steps // a seed that shows all of the faults
		for _, id := range ids {
			t.Profile.Waivers = append(t.Profile.Waivers, profile.Waiver{Requirement: id, Reason: "known"})
		}
	}
}

// deletesInUse unpublishes a volume in use before it deletes it.
func deletesInUse() mutation.Fault {
	return mutation.InsteadOf(codes.FailedPrecondition, func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest, _ error) (*csi.DeleteVolumeResponse, error) {
		if _, err := right.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: r.GetVolumeId()}); err != nil {
			return nil, err
		}
		return right.DeleteVolume(ctx, r)
	})
}

// validatesDeleted answers INTERNAL for a volume that does not exist.
func validatesDeleted() mutation.Fault {
	return mutation.Recoding[*csi.ValidateVolumeCapabilitiesRequest](codes.NotFound, codes.Internal)
}

// deletesSnapshotsOnce answers NOT_FOUND for a snapshot that does not exist.
func deletesSnapshotsOnce() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		listed, err := right.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SnapshotId: r.GetSnapshotId()})
		if err == nil && len(listed.GetEntries()) == 0 {
			return nil, status.Error(codes.NotFound, "there is no such snapshot")
		}
		return right.DeleteSnapshot(ctx, r)
	})
}
