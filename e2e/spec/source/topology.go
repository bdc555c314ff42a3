// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// topology returns the cases about the topologies in which snapshots are usable.
func topology() []harness.Case {
	return append(requirements(), snapshotRestorable(), snapshotOutOfReach(), snapshotUnknownTopology(), snapshotEmptyRequirement(), snapshotTopologyAgain(), snapshotTopologyReported())
}

// needsTopology returns the needs of the cases on accessibility_requirements of a snapshot.
func needsTopology(segments int) []harness.Need {
	return harness.Needs(harness.ClaimsPlugin(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS), harness.Segments(segments), needsSnapshots())
}

// requirements returns the cases about a snapshot that can be usable from at least one of the requested topologies.
func requirements() []harness.Case {
	type zones func(*harness.Driver) model.Set
	z2 := func(d *harness.Driver) model.Set { return model.Set{d.Z2} }
	z3z2 := func(d *harness.Driver) model.Set { return model.Set{d.Z3, d.Z2} }
	z3 := func(d *harness.Driver) model.Set { return model.Set{d.Z3} }
	none := func(*harness.Driver) model.Set { return nil }
	var cases []harness.Case
	for _, v := range []struct {
		id, text             string
		clauses              []string
		segments             int
		volume               zones
		requisite, preferred zones
	}{
		{"snapshot_within", "takes a snapshot that is usable from Z2, where its volume is", []string{"CS-05", "TR-04", "TR-07"}, 1, z2, z2, none},
		{"snapshot_preferred_only", "takes a snapshot that is usable from Z2, where its volume is and which is preferred", []string{"CS-05", "PF-03"}, 1, z2, none, z2},
		{"snapshot_preferring", "takes a snapshot in Z2 or Z3 of a volume in Z2 when Z3 is preferred", []string{"CS-05", "TR-04", "PF-05"}, 2, z2, z3z2, z3z2},
		{"snapshot_two_zones", "takes a snapshot in Z2 or Z3 of a volume that is in both", []string{"CS-05", "CS-13", "TR-04"}, 2, z3z2, z3z2, none},
		{"snapshot_one_of_two_zones", "takes a snapshot that is usable from Z2 of a volume that is in Z2 and Z3", []string{"CS-05", "TR-04", "TR-07"}, 2, z3z2, z2, none},
		{"snapshot_other_of_two_zones", "takes a snapshot that is usable from Z3 of a volume that is in Z2 and Z3", []string{"CS-05", "TR-04", "TR-07"}, 2, z3z2, z3, z3},
	} {
		cases = append(cases, harness.Case{
			ID: v.id, Text: v.text, Requirements: v.clauses, Needs: harness.Needs(needsTopology(v.segments), harness.AccessibleFrom(len(v.volume(&harness.Driver{})))),
			Run: func(ctx context.Context, driver *harness.Driver) {
				in := v.volume(driver)
				request := snapshots.CreateRequest(driver, driver.NeedVolume(ctx, driver.Volume(len(in)).Within(in...)))
				request.AccessibilityRequirements = &csi.TopologyRequirement{
					Requisite: messages.Topologies(v.requisite(driver)),
					Preferred: messages.Topologies(v.preferred(driver)),
				}
				asked := append(v.requisite(driver), v.preferred(driver)...)
				expectUsable(ctx, driver, request, mustTake(ctx, driver, request), asked, in)
			},
		})
	}
	return cases
}

// mustTake takes a snapshot that can be usable as requested, and waits until it is ready to use. If the driver has no
// space for any snapshot of the volume, or others may have taken it, the case is skipped.
func mustTake(ctx context.Context, driver *harness.Driver, request *csi.CreateSnapshotRequest) *csi.Snapshot {
	response, refused := driver.Controller.CreateSnapshot(ctx, request)
	if status.Code(refused) == codes.ResourceExhausted {
		anywhere := proto.CloneOf(request)
		anywhere.Name, anywhere.AccessibilityRequirements = driver.Name(), nil
		_, err := driver.Controller.CreateSnapshot(ctx, anywhere)
		skipWithoutSpace(err)
		harness.NeedRoomOfOthers(driver, request, refused)
	}
	harness.ExpectOK("CS-05", refused, fmt.Sprintf("a snapshot of the volume can be usable from accessibility_requirements, which are %s", request.GetAccessibilityRequirements()))
	return waitReady(ctx, driver, request, response.GetSnapshot())
}

// waitReady returns the snapshot in the answer to the request, once it is ready to use.
func waitReady(ctx context.Context, driver *harness.Driver, request *csi.CreateSnapshotRequest, snapshot *csi.Snapshot) *csi.Snapshot {
	if snapshot.GetReadyToUse() {
		return snapshot
	}
	return snapshots.NeedReady(ctx, driver, request)
}

// expectUsable fails the case unless the snapshot of a volume in these segments is usable from at least one of the
// requested segments, and restores it there.
func expectUsable(ctx context.Context, driver *harness.Driver, request *csi.CreateSnapshotRequest, snapshot *csi.Snapshot, segments, in model.Set) {
	usable := slices.DeleteFunc(slices.Clone(segments), func(segment model.Segment) bool { return !usableFrom(snapshot, segment) })
	suite.Each(usable, func(segment model.Segment) { expectRestorable(ctx, driver, snapshot, segment, in) })
	suite.Must("CS-05", len(usable) > 0, "a snapshot is usable from accessibility_requirements\nrequested: %s\ngot: accessible_topology is %s",
		request.GetAccessibilityRequirements(), messages.Segments(snapshot.GetAccessibleTopology()))
}

// expectRestorable fails the case unless a volume can be created from the snapshot in the segment, where it is usable. If
// the volume of the snapshot was of another kind, in several segments, its copies may have to be of that kind: the
// parameters of another kind may be incompatible with the source (CREATE-04).
func expectRestorable(ctx context.Context, driver *harness.Driver, snapshot *csi.Snapshot, segment model.Segment, in model.Set) {
	bytes := max(driver.Size(), snapshot.GetSizeBytes())
	asked := driver.Volume(1).Within(segment).OfBytes(bytes)
	got := creation.CreateFrom(ctx, driver, messages.FromSnapshot(snapshot.GetSnapshotId()), asked)
	if got.Code == codes.InvalidArgument && len(in) > 1 {
		asked = driver.Volume(len(in)).Within(in...).OfBytes(bytes)
		got = creation.CreateFrom(ctx, driver, messages.FromSnapshot(snapshot.GetSnapshotId()), asked)
	}
	creation.ExpectAllowed(ctx, got, model.AnswersTo(asked, driver.Room.World))
}

func snapshotRestorable() harness.Case {
	return harness.Case{
		ID:           "snapshot_restorable",
		Text:         "restores a snapshot in every topology that it is usable from",
		Requirements: []string{"CS-05", "CS-08", "CS-10", "CS-13", "CS-15"},
		Needs:        needsTopology(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			snapshot := snapshots.Need(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1)))
			usable := messages.Segments(snapshot.GetAccessibleTopology())
			if len(usable) == 0 { // then it is usable from everywhere
				usable = driver.Zones(2)
			}
			suite.Each(usable, func(segment model.Segment) {
				expectRestorable(ctx, driver, snapshot, segment, nil)
			})
		},
	}
}

// snapshotTopologyReported checks that every call returns, as it should, the same segments for a snapshot.
func snapshotTopologyReported() harness.Case {
	return harness.Case{
		ID:           "snapshot_topology_reported",
		Text:         "should return the same accessible_topology of a snapshot from every call",
		Requirements: []string{"CS-13", "LS-01", "GS-01"},
		Needs:        needsTopology(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			snapshot := snapshots.Need(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Z2)))
			want := reachOf(driver, snapshot)
			var reported map[string]*csi.Snapshot
			differs := func() []string {
				var found []string
				for call, now := range reported {
					if got := reachOf(driver, now); now != nil && !got.Equal(want) {
						found = append(found, fmt.Sprintf("%s: %s", call, got))
					}
				}
				return found
			}
			driver.Settled(ctx, effect.Topology, func() bool {
				reported = snapshots.Reported(ctx, driver, snapshot)
				return len(differs()) == 0
			})
			if len(reported) == 0 {
				suite.Skip(suite.ByCapability, "no call says where a snapshot is usable: GET_SNAPSHOT is not claimed, and %s", driver.WhySnapshotsUnlisted())
			}
			suite.Should(ctx, "CS-13", len(differs()) == 0, "CreateSnapshot returned a snapshot that is usable from %s, and others return %v", want, differs())
		},
	}
}

// isInvalid reports whether a call was refused as invalid.
func isInvalid(err error) bool {
	return status.Code(err) == codes.InvalidArgument
}
