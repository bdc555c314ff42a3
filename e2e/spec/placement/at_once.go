// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/fill"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// atOnceTwoZones returns the case about concurrent calls for one name in two topologies. One of them may create the
// volume; calls for its topology are answered with it, and the others are refused: with ALREADY_EXISTS, or with ABORTED
// while a call is under way.
func atOnceTwoZones() harness.Case {
	return harness.Case{
		ID:           "at_once_two_zones",
		Text:         "creates one volume for concurrent requests with one name in Z2 and in Z3",
		Requirements: []string{"CV-02", "CV-03", "CV-07", "CREATE-06", "GEN-02", "GEN-03"},
		Needs:        harness.Needs(harness.Segments(2), harness.Volumes(volumesEach)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			asked := []model.Request{driver.Taken(driver.Volume(1).Within(driver.Z2)), driver.Taken(driver.Volume(1).Within(driver.Z3))}
			second, third := driver.ExactRequest(asked[0]), driver.ExactRequest(asked[1])
			third.Name = second.GetName()
			requests := []*csi.CreateVolumeRequest{second, third, second, third}
			answers := creation.AtOnce(ctx, driver, requests...)
			expectGraceful(ctx, answers)
			answers = creation.Finish(ctx, driver, requests, answers, len(requests))
			volumes := map[string]bool{}
			for i, got := range answers {
				if got.Code == codes.OK {
					volumes[got.VolumeID] = true
					creation.ExpectAllowed(ctx, got, answersAtOnce(asked[i%2], asked[1-i%2], got, driver.Room.World))
				}
			}
			suite.Should(ctx, "CV-07", len(volumes) <= 1, "%d volumes were created for one name by concurrent calls: %s", len(volumes), strings.Join(slices.Sorted(maps.Keys(volumes)), ", "))
			expectOneVolume(ctx, driver, answers[0], len(volumes) > 0, asked)
		},
	}
}

// answersAtOnce returns the answers allowed to a request. got may be the volume that a concurrent call created for the other
// request: then the name is taken.
func answersAtOnce(asked, other model.Request, got creation.Answer, world model.World) model.Answers {
	alone := model.AnswersTo(asked, world)
	forbidden := func(answers model.Answers) bool { return answers.Judge(got.Answer).Grade == model.Forbidden }
	if forbidden(alone) && !forbidden(model.AnswersTo(other, world)) {
		return model.AnswersToRepeat(asked, world, got.Segments)
	}
	return alone
}

// expectOneVolume fails the case unless further calls for the name of an answer, one after another, return one volume.
// created says that there is one.
func expectOneVolume(ctx context.Context, driver *harness.Driver, named creation.Answer, created bool, asked []model.Request) {
	first, other, otherAsked := creation.CreateAgain(ctx, driver, named, asked[0]), creation.CreateAgain(ctx, driver, named, asked[1]), asked[1]
	if first.Code != codes.OK {
		first, other, otherAsked = other, first, asked[0]
	}
	switch {
	case first.Code == codes.OK:
		creation.ExpectAllowed(ctx, other, model.AnswersToRepeat(otherAsked, driver.Room.World, first.Segments))
	case created:
		suite.Fail("CV-03", "a volume of the name %s was created by calls at the same time, and the same calls again were answered with %s and %s", named.Name, first, other)
	}
}

// expectGraceful warns about a call that is refused with another code than ALREADY_EXISTS, ABORTED or a code for which
// a CO repeats it: concurrent calls for one volume should be handled as gracefully as possible.
func expectGraceful(ctx context.Context, answers []creation.Answer) {
	for _, answer := range answers {
		if answer.Code == codes.OK {
			continue
		}
		creation.ExpectNothingLeft(ctx, answer)
		if !statuses.MayPass(answer.Code) && answer.Code != codes.AlreadyExists {
			suite.Warn(ctx, "GEN-02", "one of %d calls for a name at the same time was answered with %s, and should be OK or ABORTED", len(answers), answer)
		}
	}
}

// atOnceLastRoom returns the case about concurrent calls for different names, some of them refused for lack of room.
func atOnceLastRoom() harness.Case {
	return harness.Case{
		ID:           "at_once_last_room",
		Text:         "creates no more volumes for concurrent requests than fit into Z2",
		Requirements: []string{"TR-08", "CREATE-08", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Segments(1), harness.Volumes(volumesEach), harness.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY), harness.ExactCapacity(), harness.Exhaustion()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			room, each := fill.AllButTwo(ctx, driver, driver.Z2)
			fit := int(room / each)
			asked := driver.Volume(1).Within(driver.Z2)
			var requests []*csi.CreateVolumeRequest
			for range fit + 3 {
				requests = append(requests, driver.CreateVolumeRequest(asked))
			}
			answers := creation.Finish(ctx, driver, requests, creation.AtOnce(ctx, driver, requests...), fit)
			created := 0
			for _, got := range answers {
				if got.Code == codes.OK {
					created++
					continue
				}
				suite.Must("CREATE-08", got.Code == codes.ResourceExhausted,
					"one of %d calls at the same time for volumes of %d bytes in %s, which has room for %d of them, was answered with %s, and a topology where nothing can be provisioned is RESOURCE_EXHAUSTED",
					len(answers), each, driver.Z2, fit, got)
				creation.ExpectNothingLeft(ctx, got)
			}
			suite.Must("TR-08", created <= fit, "%d volumes of %d bytes were created at the same time in %s, which had room for %d bytes", created, each, driver.Z2, room)
			for range fit - created {
				ask(ctx, driver, asked)
			}
		},
	}
}
