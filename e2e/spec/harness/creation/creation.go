// SPDX-License-Identifier: Apache-2.0

// Package creation creates volumes for cases that judge the creation, and judges the answers.
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

// Create requests a volume under a new name, as Kubernetes does. The volume is deleted after the case.
func Create(ctx context.Context, d *harness.Driver, asked model.Request) Answer {
	return CreateExactly(ctx, d, d.AsKubernetes(asked))
}

// CreateExactly is like Create, but requests exactly the given topologies.
func CreateExactly(ctx context.Context, d *harness.Driver, asked model.Request) Answer {
	answer := createUnless(ctx, d, d.ExactRequest(asked), func(err error) bool { return !neverRefuses(d, asked, err) })
	d.Room.World, _ = d.Room.World.Seeing(answer.Segments).Including(answer.Segments, slices.Concat(asked.Requisite, asked.Preferred))
	noteOthers(ctx, d, asked, answer)
	return answer
}

// noteOthers records which room other users may have had, if the answer is wrong otherwise.
func noteOthers(ctx context.Context, d *harness.Driver, asked model.Request, answer Answer) {
	if !d.Profile().Capacity.Exact() && model.AnswersTo(asked, d.Room.World).Judge(answer.Answer).Grade == model.Forbidden {
		d.Room.NoteLess(ctx)
		d.Room.NoteFreed(answer.Segments)
	}
}

// CreateAgain repeats the name of an earlier answer, with exactly the given topologies. An earlier answer without a
// volume does not count: the volume may be a new one.
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

// neverRefuses reports whether the driver keeps asking for the repetition of a call for a volume that, by its own
// account, no segment has room for. A driver must report missing room with a code for which the caller tries another
// segment (CREATE-08).
func neverRefuses(d *harness.Driver, asked model.Request, err error) bool {
	return d.Profile().Capacity.Exact() && attempt.AsksAgain(err) && len(model.AnswersTo(asked, d.Room.World).Volumes) == 0
}

// createUnless makes the call, and ends the case if it has no answer and ends returns true for its error.
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
