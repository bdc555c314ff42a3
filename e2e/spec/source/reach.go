// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/fill"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// reach returns the cases about where a volume from a source can be.
func reach(k kind) []harness.Case {
	return []harness.Case{inReach(k), partlyInReach(k), preferring(k), outOfReach(k), againElsewhere(k), fullSegment(k)}
}

func inReach(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_in_reach",
		Text:         fmt.Sprintf("%s a %s in Z2, where the source is", k.doing, k.noun),
		Requirements: []string{k.clause, "CV-18", "TR-07"},
		Needs:        k.needsSegments(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContentIn(ctx, driver, driver.Z2)
			asked := driver.Volume(1).Within(driver.Z2).OfBytes(from.bytes)

			got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked)

			creation.ExpectAllowed(ctx, got, model.AnswersTo(asked, driver.Room.World))
		},
	}
}

// partlyInReach requests two topologies, with one of them in the source's reach. The volume must not fail because of the
// other: neither if both are in requisite, nor if the one out of reach is preferred, as it is half of the time in
// Kubernetes. Falling back from preferred is a MAY.
func partlyInReach(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_partly_in_reach",
		Text:         fmt.Sprintf("%s a %s when requisite is Z3 and Z2, and the source is in Z2", k.doing, k.noun),
		Requirements: []string{k.clause, "CV-18", "TR-11", "PF-05"},
		Needs:        k.needsSegments(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContentIn(ctx, driver, driver.Z2)

			either := driver.Volume(1).Within(driver.Z3, driver.Z2).OfBytes(from.bytes)
			for _, asked := range []model.Request{either, either.Preferring(driver.Z3, driver.Z2)} {
				got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked)
				expectEither(ctx, driver, got, asked) // a driver that refuses the first would refuse the second, too
			}
		},
	}
}

// expectEither judges a volume that may be in Z3 or in Z2, where its source is. It is unknown whether Z3 is in reach of the
// source: a volume may be there, and a refusal is judged as if it could not.
func expectEither(ctx context.Context, driver *harness.Driver, got creation.Answer, asked model.Request) {
	world := driver.Room.World
	if got.Code == codes.OK {
		asked.Preferred = nil
	} else {
		world = world.With(driver.Z3, model.OutOfReach())
	}
	creation.ExpectAllowed(ctx, got, model.AnswersTo(asked, world))
}

// preferring requests a volume where the source is not, or else in Z3 rather than in Z2, where it is. A request for Z3 alone
// shows whether a volume can be created from the source there.
func preferring(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_preferring",
		Text:         fmt.Sprintf("%s a %s in Z3, where the source is as well as in Z2, when Z4 and Z3 are preferred", k.doing, k.noun),
		Requirements: []string{"PF-03", "TR-04"},
		Needs:        harness.Needs(k.needsSegments(3), harness.AccessibleFrom(2)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			zones := driver.Zones(3)
			z2, z3, z4 := zones[0], zones[1], zones[2]
			from := k.take(ctx, driver, driver.NeedVolume(ctx, driver.Volume(2).Within(z2, z3)))
			asked := driver.Volume(1).OfBytes(from.bytes)
			inZ3 := func() creation.Answer {
				return creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked.Within(z3))
			}
			if alone := inZ3(); alone.Code != codes.OK {
				suite.Skip(suite.ByCapability, "no volume in %s is created from a %s of a volume in %s and %s: %s", z3, k.noun, z2, z3, alone)
			}

			const attempts = 3 // a segment may be out of stock for a moment
			for _, requisite := range []model.Set{{z2, z3, z4}, {z4, z3, z2}} {
				var got creation.Answer
				passedOver := 0
				for ; passedOver < attempts; passedOver++ {
					got = creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked.Within(requisite...).Preferring(z4, z3))
					if got.Code != codes.OK || !got.Segments.Equal(model.Set{z2}) || inZ3().Code != codes.OK {
						break
					}
				}
				suite.Must("PF-03", passedOver < attempts,
					"a volume is in the first of the preferred topologies where it can be\nrequested %d times: requisite %s, preferred %s, %s, from which a volume was created in %s after each of them\ngot: %s", attempts, requisite, model.Set{z4, z3}, describeSource(from), z3, got)
			}
		},
	}
}

// againElsewhere requests a copy by its name where it is not. The same refusals as for a new copy there may be right as
// well.
func againElsewhere(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_again_elsewhere",
		Text:         fmt.Sprintf("returns ALREADY_EXISTS for the name of a volume from a %s in Z2 when the request is for Z3", k.noun),
		Requirements: []string{"CREATE-06", "CV-07", "GEN-15", "GEN-16"},
		Needs:        k.needsSegments(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContentIn(ctx, driver, driver.Z2)
			first := k.mustCreate(ctx, driver, from, driver.Volume(1).Within(driver.Z2))
			if len(first.Segments) == 0 || matchAny(first.Segments, driver.Z3) {
				suite.Skip(suite.ByCapability, "the volume is accessible from %s as well: %s", driver.Z3, first)
			}
			asked := driver.AsKubernetes(driver.Volume(1).Within(driver.Z3).OfBytes(from.bytes))
			if slices.ContainsFunc(asked.Requisite, func(requisite model.Segment) bool { return matchAny(first.Segments, requisite) }) {
				suite.Skip(suite.ByCapability, "CreateVolume accepts no request for %s alone", driver.Z3)
			}

			again := creation.CreateFromAgain(attempt.Once(ctx, codes.ResourceExhausted), driver, first, from.VolumeContentSource, asked)

			suite.Must("CREATE-06", slices.Contains([]codes.Code{codes.AlreadyExists, codes.ResourceExhausted, codes.InvalidArgument, codes.NotFound}, again.Code),
				"a volume of the same name exists and is incompatible with accessibility_requirements: ALREADY_EXISTS\nrequested: requisite %s, %s\nthe volume: %s\ngot: %s", driver.Z3, describeSource(from), first, again)
			creation.ExpectNothingLeft(ctx, again)
		},
	}
}

// outOfReach checks that a volume that cannot have the data of its source is refused, or else is where it was requested.
// Three rows of the error table may be about that: RESOURCE_EXHAUSTED is for a topology where nothing can be provisioned,
// INVALID_ARGUMENT for a source that is incompatible with the request, and NOT_FOUND, where the caller is to verify that
// "the source is accessible", for one that does not exist in the requested place. Only the first makes Kubernetes look for
// another topology. A snapshot is restored once more when its volume was deleted.
func outOfReach(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_out_of_reach",
		Text:         fmt.Sprintf("%s a %s in Z3, where it can be used, when the source is in Z2, or returns RESOURCE_EXHAUSTED", k.doing, k.noun),
		Requirements: []string{"CV-18", "CREATE-02", "CREATE-04", "CREATE-08", "TR-04", "CV-07", "GEN-15", "GEN-16"},
		Needs:        k.needsSegments(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Z2))
			from := k.take(ctx, driver, volume)
			expectWithinZ3(ctx, driver, from)
			if from.GetSnapshot() == nil {
				return
			}
			if _, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume)); err == nil {
				expectWithinZ3(ctx, driver, from)
			}
		},
	}
}

// expectWithinZ3 requests a volume in Z3 from the source, which is in Z2.
func expectWithinZ3(ctx context.Context, driver *harness.Driver, from content) {
	asked := driver.AsKubernetes(driver.Volume(1).Within(driver.Z3).OfBytes(from.bytes))

	got := creation.CreateFrom(attempt.Once(ctx, codes.ResourceExhausted), driver, from.VolumeContentSource, asked)

	asked.Preferred = nil // it is unknown whether Z3 is in reach of the source
	answers := model.AnswersTo(asked, driver.Room.World)
	answers.Refusals = []model.Refusal{
		refusal(codes.ResourceExhausted, "CREATE-08", "no volume can be provisioned where the source does not reach", false),
		refusal(codes.InvalidArgument, "CREATE-08", "a source that is incompatible is INVALID_ARGUMENT (CREATE-04), after which Kubernetes looks for no other topology", true),
		refusal(codes.NotFound, "CREATE-08", "a source that is not accessible there is NOT_FOUND to a back end of that topology (CREATE-05), after which Kubernetes looks for no other one", true),
	}
	creation.ExpectAllowed(ctx, got, answers)
	if got.Code != codes.OK {
		creation.ExpectNothingLeft(ctx, got)
		return
	}
	expectUsableThere(ctx, driver, got.Volume, driver.Z3)
}

func refusal(code codes.Code, clause, why string, discouraged bool) model.Refusal {
	return model.Refusal{Code: code, Reasons: []model.Reason{{Clause: clause, Text: why}}, Discouraged: discouraged}
}

// fullSegment copies a source and takes a snapshot in a full segment. If they share blocks with the source, they take
// no room, and may be there.
func fullSegment(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_full_segment",
		Text:         fmt.Sprintf("%s a %s in Z2 when Z2 is full, and takes a snapshot there, or returns RESOURCE_EXHAUSTED", k.doing, k.noun),
		Requirements: []string{"CREATE-02", "CREATE-08", "CV-07", "TR-07", "TR-08", "CS-19", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(k.needsSegments(1), harness.Exhaustion()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1).Within(driver.Z2))
			from := k.take(ctx, driver, volume)
			mustReach(from, driver.Z2)
			asked := driver.Volume(1).Within(driver.Z2).OfBytes(from.bytes)
			roomy := driver.Room.World
			fill.Segments(ctx, driver, driver.Z2)

			got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked)

			if got.Code == codes.OK {
				creation.ExpectAllowed(ctx, got, model.AnswersTo(asked, roomy))
			} else {
				creation.ExpectAllowed(ctx, got, model.AnswersTo(asked, driver.Room.World))
				creation.ExpectNothingLeft(ctx, got)
			}
			if driver.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) {
				request := snapshots.CreateRequest(driver, volume)
				_, err := driver.Controller.CreateSnapshot(ctx, request)
				harness.ExpectOKOrRefused(ctx, "CS-19", err, "a snapshot for which there is no room is RESOURCE_EXHAUSTED", codes.ResourceExhausted)
			}
		},
	}
}
