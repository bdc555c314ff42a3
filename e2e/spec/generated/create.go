package generated

import (
	"context"
	"fmt"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// asked is the CreateVolume of a step.
func (s *sequence) asked(step Step) model.Request {
	asked := s.under.Volume(step.X)
	switch unit, fitting := s.under.Size(), s.fitting(step.Segment); step.Size {
	case Double:
		asked.Bytes = 2 * unit
	case Fitting:
		asked.Bytes = max(fitting, unit)
	case TooLarge:
		asked.Bytes = fitting + unit
	}
	return asked.Within(s.segments(step.Requisite)...).Preferring(s.segments(step.Preferred)...)
}

// fitting is all the room of a segment, in whole units: what a driver rounds its sizes to divides them.
func (s *sequence) fitting(segment int) int64 {
	if !s.room.told {
		return 0
	}
	unit := s.under.Size()
	return s.room.places[segment].fits() / unit * unit
}

func (s *sequence) segments(numbers []int) model.Set {
	var segments model.Set
	for _, i := range numbers {
		segments = append(segments, s.room.places[i].segment)
	}
	return segments
}

// create asks for a volume. What is allowed depends on whether there is one of that name.
func (s *sequence) create(ctx context.Context, v *volume, asked model.Request) outcome {
	request := s.under.CreateVolumeRequest(asked)
	request.Name = v.name
	v.asked = &asked
	response, err := s.under.Controller.CreateVolume(ctx, request)

	got := s.answerOf(response.GetVolume(), err)
	segments := s.room.segments().StandingFor(got.Segments)
	world := s.room.world(segments)
	answers := s.allowed(v, asked, world)
	o := outcomeOf("CreateVolume of "+v.name+": "+asked.String(), err)
	o.answered, o.allowed = got.String(), answers.String()
	if s.room.told {
		o.state = "room in each segment:\n" + world.String()
	}
	if v.exists {
		o.state += fmt.Sprintf("\na volume of that name exists, of %d bytes and accessible from %s", v.bytes, v.segments)
	}
	switch finding := answers.Judge(got); finding.Grade {
	case model.Forbidden:
		if s.waives(finding.Reasons) {
			s.room.lose()
			break
		}
		o.broken = append(o.broken, finding.Reasons...)
	case model.Discouraged:
		o.regretted = finding.Reasons
	}
	if err == nil {
		o.broken = append(o.broken, s.flaws(v, asked, response.GetVolume())...)
		s.made(v, asked, response.GetVolume(), segments)
	}
	return o
}

func (s *sequence) answerOf(made *csi.Volume, err error) model.Answer {
	if err != nil {
		failed := status.Convert(err)
		return model.Answer{Code: failed.Code(), Message: failed.Message()}
	}
	got := model.Answer{Segments: harness.Segments(made.GetAccessibleTopology())}
	if len(s.under.Segments()) == 0 && len(got.Segments) == 0 {
		got.Segments = model.Set{onlyPlace()}
	}
	return got
}

// allowed are the answers that the specification allows.
func (s *sequence) allowed(v *volume, asked model.Request, world model.World) model.Answers {
	if v.exists {
		return s.allowedAgain(v, asked, world)
	}
	answers := model.AnswersTo(asked, world)
	beyond := asked.Bytes > s.room.largest || !s.room.told && asked.Bytes > s.under.Size()
	if beyond && len(answers.Volumes) == 0 {
		answers.Refusals = append(answers.Refusals, model.Refusal{Code: codes.OutOfRange, Reasons: []model.Reason{
			{Clause: "CVE-11", Text: "no volume of the driver may have such a size"},
		}})
	}
	return answers
}

// allowedAgain are those to the name of a volume that exists, which may be smaller than what is asked for now, or
// accessible from another number of segments.
func (s *sequence) allowedAgain(v *volume, asked model.Request, world model.World) model.Answers {
	answers := model.AnswersToRepeat(asked, world, v.segments)
	incompatible := func(what string) model.Refusal {
		return model.Refusal{Code: codes.AlreadyExists, Reasons: []model.Reason{
			{Clause: "CVE-06", Text: "a volume of the same name exists and is incompatible with " + what},
		}}
	}
	if asked.X != v.x {
		// What parameters are compatible is the driver's to say.
		answers.Refusals = append(answers.Refusals, incompatible("parameters"))
	}
	if asked.Bytes > v.bytes {
		answers.Volumes = nil
		answers.Refusals = []model.Refusal{incompatible(fmt.Sprintf("capacity_range: it has %d bytes", v.bytes))}
	}
	return answers
}

// flaws are what is wrong with an OK answer besides its topology.
func (s *sequence) flaws(v *volume, asked model.Request, made *csi.Volume) []model.Reason {
	var found []model.Reason
	flaw := func(wrong bool, clause, text string) {
		if wrong {
			found = append(found, model.Reason{Clause: clause, Text: text})
		}
	}
	id, bytes := made.GetVolumeId(), made.GetCapacityBytes()
	flaw(id == "", "VOL-03", "volume_id is set")
	flaw(bytes < 0, "VOL-02", fmt.Sprintf("capacity_bytes is not negative, and is %d", bytes))
	flaw(bytes > 0 && bytes < asked.Bytes, "CR-03", fmt.Sprintf("the volume has at least required_bytes, and has %d of %d", bytes, asked.Bytes))
	if v.exists {
		flaw(id != v.id, "CV-03", fmt.Sprintf("the volume of the name exists as %q, and the answer is %q", v.id, id))
		flaw(!maps.Equal(made.GetVolumeContext(), v.context), "VOL-12", fmt.Sprintf("the same volume has the same volume_context, which was %v and is %v", v.context, made.GetVolumeContext()))
		return found
	}
	for _, other := range s.volumes {
		flaw(other.exists && other.id == id, "VOL-04", fmt.Sprintf("volume_id is unique, and %q is that of %s", id, other.name))
	}
	return found
}

// made notes the volume of an OK answer.
func (s *sequence) made(v *volume, asked model.Request, made *csi.Volume, segments model.Set) {
	if v.exists {
		return
	}
	delete(s.deleted, made.GetVolumeId())
	v.node, v.publishContext = nil, nil // a driver that may delete volumes in use has left them
	v.id, v.exists, v.x, v.bytes = made.GetVolumeId(), true, asked.X, made.GetCapacityBytes()
	v.topology, v.segments, v.context = made.GetAccessibleTopology(), segments, made.GetVolumeContext()
	if v.bytes == 0 {
		// A driver need not say how large the volume is (VOL-01); then nobody knows what is left.
		v.bytes = asked.Bytes
		s.room.lose()
	}
	s.room.take(v.segments, v.bytes)
}
