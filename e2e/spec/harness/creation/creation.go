// SPDX-License-Identifier: Apache-2.0

// Package creation asks for volumes whose creation a case judges, and judges the answers.
package creation

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// Create asks for a volume under a new name, as Kubernetes does. The volume is deleted after the case.
func Create(ctx context.Context, d *harness.Driver, asked model.Request) Answer {
	return CreateExactly(ctx, d, d.AsKubernetes(asked))
}

// CreateExactly is Create with the topologies that are asked for, and no others.
func CreateExactly(ctx context.Context, d *harness.Driver, asked model.Request) Answer {
	answer := createUnless(ctx, d, d.ExactRequest(asked), func(err error) bool { return !neverRefuses(d, asked, err) })
	d.Room.World, _ = d.Room.World.Seeing(answer.Segments).Including(answer.Segments, slices.Concat(asked.Requisite, asked.Preferred))
	noteOthers(ctx, d, asked, answer)
	return answer
}

// noteOthers has the world know what others may have had of the room, where the answer is wrong without that.
func noteOthers(ctx context.Context, d *harness.Driver, asked model.Request, answer Answer) {
	if !d.Profile().Capacity.Exact() && model.AnswersTo(asked, d.Room.World).Judge(answer.Answer).Grade == model.Forbidden {
		d.Room.NoteLess(ctx)
		d.Room.NoteFreed(answer.Segments)
	}
}

// CreateAgain asks under the name of an earlier answer, with the topologies that are asked for, and no others. An earlier
// answer without a volume is none: the volume may be a new one.
func CreateAgain(ctx context.Context, d *harness.Driver, earlier Answer, asked model.Request) Answer {
	request := d.ExactRequest(asked)
	request.Name = earlier.Name
	answer := create(ctx, d, request)
	if earlier.VolumeID == "" {
		noteOthers(ctx, d, asked, answer)
	}
	return answer
}

func create(ctx context.Context, d *harness.Driver, request *csi.CreateVolumeRequest) Answer {
	return createUnless(ctx, d, request, func(error) bool { return true })
}

// neverRefuses reports whether the driver goes on asking for the repetition of a call for a volume that no segment has room
// for, as it knows itself: that there is none is to be said by a code for which the caller looks elsewhere (CREATE-08).
func neverRefuses(d *harness.Driver, asked model.Request, err error) bool {
	return d.Profile().Capacity.Exact() && attempt.AsksAgain(err) && len(model.AnswersTo(asked, d.Room.World).Volumes) == 0
}

// createUnless makes the call, and ends the case where it has no answer and ends reports so of its error.
func createUnless(ctx context.Context, d *harness.Driver, request *csi.CreateVolumeRequest, ends func(error) bool) Answer {
	before := d.Held.Watch(ctx)
	response, err := d.Controller.CreateVolume(attempt.Tolerant(ctx), request)
	if ends(err) {
		attempt.MustBeAnswered(err)
	}
	answer := AnswerOf(request, response, err)
	if answer.Code == codes.ResourceExhausted && !d.Profile().Capacity.Exact() {
		d.Room.NoteLess(ctx)
	}
	if err != nil {
		answer.Left = before.Changes(ctx)
		answer.unseen = before.Blind()
	}
	return answer
}
