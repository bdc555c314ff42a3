// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// wish describes a request for a volume.
type wish struct {
	model.Request
	// kind is the number of segments that identifies the kind of volume in the profile.
	kind int
	// limit is limit_bytes, 0 for none, and limitOnly reports that required_bytes is not set.
	limit     int64
	limitOnly bool
	use       Use
	source    *source
}

// String formats the wish for reports.
func (w wish) String() string {
	text := w.Request.String()
	if w.limit > 0 {
		text += "\n" + describe.Range(w.capacityRange())
	}
	if w.use != Plain {
		text += "\n" + [...]string{Device: "a raw block device", Shared: "MULTI_NODE_MULTI_WRITER", SharedDevice: "a raw block device, MULTI_NODE_MULTI_WRITER", Readers: "MULTI_NODE_READER_ONLY", Pods: "SINGLE_NODE_MULTI_WRITER"}[w.use]
	}
	if w.source != nil {
		text += "\n" + w.source.String()
	}
	return text
}

func (w wish) capacityRange() *csi.CapacityRange {
	if w.isUnsized() {
		return nil
	}
	return &csi.CapacityRange{RequiredBytes: w.Bytes, LimitBytes: w.limit}
}

// isUnsized reports whether the driver chooses the size.
func (w wish) isUnsized() bool { return w.Bytes == 0 && w.limit == 0 }

// oracle returns the wish in the terms of the oracle: a volume without required_bytes has at least one byte, and a copy may
// need as many bytes as its source, even if fewer are required.
func (w wish) oracle() model.Request {
	return w.OfBytes(max(w.Bytes, w.source.now(), 1))
}

// limited returns the wish with a limit.
func (w wish) limited(by Limit) wish {
	switch by {
	case Loose:
		w.limit = 2 * w.Bytes
	case Exact:
		w.limit = w.Bytes
	case LimitOnly:
		w.limit, w.limitOnly, w.Bytes = w.Bytes, true, 0
	}
	return w
}

// create returns the CreateVolume of a step. A copy of a source that never existed is left out.
func (s *sequence) create(ctx context.Context, step Step) (c call, meant bool) {
	v := s.volume(step)
	if v.forgotten {
		return call{}, false
	}
	asked := wish{Request: s.asked(step).Within(s.segments(step.Requisite)...).Preferring(s.segments(step.Preferred)...), kind: step.X, use: step.Use}
	if step.isCopy() {
		from, found := s.source(ctx, step)
		if !found {
			return call{}, false
		}
		asked = s.copyOf(from, step)
	}
	asked.Request = s.driver.TakenAlways(asked.Request)
	asked = asked.limited(step.Limit)
	v.asked = &asked
	return s.createVolume(v, asked), true
}

// again repeats the last CreateVolume of the name. As in create, it is left out if the source is on a node by now, unless
// the volume exists.
func (s *sequence) again(v *volume) (c call, meant bool) {
	if v.asked == nil || v.forgotten || !v.exists && v.asked.source.isBusy() {
		return call{}, false
	}
	return s.createVolume(v, *v.asked), true
}

// asked returns a new volume of the step's size.
func (s *sequence) asked(step Step) model.Request {
	asked := s.driver.Volume(step.X)
	switch unit, fitting := s.driver.Size(), s.fitting(step.Segment); step.Size {
	case Double:
		asked.Bytes = 2 * unit
	case Odd:
		asked.Bytes = unit + unit/2 + 1
	case Fitting:
		asked.Bytes = max(fitting, unit)
	case TooLarge:
		asked.Bytes = fitting + unit
	}
	return asked
}

// fitting returns all the room of a segment, in whole units, so that a driver need not round it.
func (s *sequence) fitting(segment int) int64 {
	if !s.room.told {
		return 0
	}
	unit := s.driver.Size()
	return max(0, s.room.places[segment].fits()/unit*unit)
}

func (s *sequence) segments(numbers []int) model.Set {
	var segments model.Set
	for _, i := range numbers {
		segments = append(segments, s.room.places[i].segment)
	}
	return segments
}

// createVolume requests a volume. What is allowed depends on whether a volume of that name exists. The specification
// does not say how soon the name of a deleted volume is free.
func (s *sequence) createVolume(v *volume, asked wish) call {
	request := s.driver.ExactRequest(asked.Request)
	request.Name = v.name
	request.CapacityRange = asked.capacityRange()
	request.VolumeCapabilities = []*csi.VolumeCapability{s.capability(asked)}
	request.VolumeContentSource = asked.source.message()

	c := callOf(s.driver.Controller.CreateVolume, request, func(ctx context.Context, response *csi.CreateVolumeResponse, err error) outcome {
		return s.judgeCreation(ctx, v, asked, response.GetVolume(), err)
	}).of(v)
	if v.id != "" && !v.exists {
		c.late = []late{{effect.FreeName, func(a answer) bool { return status.Code(a.err) == codes.AlreadyExists }}}
	}
	return c
}

func (s *sequence) judgeCreation(ctx context.Context, v *volume, asked wish, made *csi.Volume, err error) outcome {
	o := outcomeOf("CreateVolume of "+v.name+": "+asked.String(), err)
	if other := s.holderOf(v, made.GetVolumeId()); err == nil && other != nil {
		o.answered = fmt.Sprintf("OK, volume %q", made.GetVolumeId())
		o.wrong("VOL-04", "volume_id is unique, and %q belongs to %s", made.GetVolumeId(), other.name)
		return o // nothing else can be said about it
	}
	got := s.answerOf(made, err)
	segments := s.room.segments().StandingFor(got.Segments)
	if len(got.Segments) > 0 {
		s.learned.topology = got.Segments
	}
	answers := s.allowed(v, asked, s.world(asked, err))
	o.answered, o.allowed = got.String(), answers.String()
	if s.room.told {
		o.state = "room in each segment:\n" + answers.World.String()
	}
	if v.exists {
		o.state += fmt.Sprintf("\na volume of that name exists, of %s, and accessible from %s", v.size(), v.segments)
	}
	switch finding := answers.judge(got); finding.Grade {
	case model.Forbidden:
		if s.waives(finding.Reasons) {
			o.regretted = append(o.regretted, s.waivedAmong(finding.Reasons)...)
			s.room.lose()
			break
		}
		if s.isOpen(ctx, v, asked, got.Code, answers) {
			o.regretted = append(o.regretted, finding.Reasons...)
			break
		}
		o.broken = append(o.broken, finding.Reasons...)
	case model.Discouraged:
		o.regretted = append(o.regretted, finding.Reasons...)
	case model.Unknown: // whether it is right depends on facts that the driver does not report
	case model.Allowed:
	}
	if err == nil {
		s.judgeVolume(&o, v, asked, made)
		s.made(v, asked, made, segments)
	}
	return o
}

// answerOf returns the answer in the terms of the oracle. It ignores the topology of a driver that does not claim to have
// any, which topology_only_where_claimed judges.
func (s *sequence) answerOf(made *csi.Volume, err error) model.Answer {
	if err != nil {
		failed := status.Convert(err)
		return model.Answer{Code: failed.Code(), Message: failed.Message()}
	}
	got := model.Answer{Segments: messages.Segments(made.GetAccessibleTopology())}
	claimed := s.driver.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)
	if (len(got.Segments) == 0 || !claimed) && s.room.segments().Contains(onlyPlace()) {
		got.Segments = model.Set{onlyPlace()}
	}
	return got
}

// judgeVolume records the faults of an OK answer, except in its topology.
func (s *sequence) judgeVolume(o *outcome, v *volume, asked wish, made *csi.Volume) {
	wrong := func(is bool, clause, text string, args ...any) {
		if is {
			o.wrong(clause, text, args...)
		}
	}
	id, bytes := made.GetVolumeId(), made.GetCapacityBytes()
	wrong(id == "", "VOL-03", "volume_id is set")
	wrong(bytes < 0, "VOL-02", "capacity_bytes must not be negative, and is %d", bytes)
	wrong(bytes > 0 && bytes < asked.Bytes, "CR-03", "the volume has at least required_bytes, and has %d of %d", bytes, asked.Bytes)
	wrong(bytes > 0 && bytes < asked.source.told(), "CS-11", "a volume has at least the size_bytes of the snapshot that it is created from, and has %d of %d", bytes, asked.source.told())
	wrong(asked.limit > 0 && bytes > asked.limit, "CR-05", "the volume has at most limit_bytes, and has %d, more than %d", bytes, asked.limit)
	if asked.source != nil && !proto.Equal(made.GetContentSource(), asked.source.message()) {
		o.regret("VS-01", "content_source says what the volume was created from: Kubernetes gives up on a volume that does not say so")
	}
	switch {
	case s.isTwin(v, made):
		o.regret("CV-07", "one name is one volume, and concurrent calls were answered %q and %q", v.id, id)
	case v.exists:
		wrong(id != v.id, "CV-02", "the volume of the name exists as %q, and the answer is %q", v.id, id)
		// A driver may repeat its earlier answer: the size that the volume was created with.
		wrong(v.told && !v.unsure && bytes > 0 && bytes != v.bytes && bytes != v.created, "CV-02", "the volume has %d bytes, and the answer to the same call is %d", v.bytes, bytes)
		wrong(!maps.Equal(made.GetVolumeContext(), v.context), "VOL-12", "the same volume has the same volume_context, which was %s and is %s", describe.Map(v.context), describe.Map(made.GetVolumeContext()))
	}
}

// holderOf returns the volume of another name that has the id of a new one; nil if there is none.
func (s *sequence) holderOf(v *volume, id string) *volume {
	for _, other := range s.volumes {
		if !v.exists && other != v && other.exists && other.id == id {
			return other
		}
	}
	return nil
}

// isTwin reports whether concurrent calls have made two volumes of one name. No MUST forbids that, and it is unknown which
// of them has the name afterwards.
func (s *sequence) isTwin(v *volume, made *csi.Volume) bool {
	return s.together && v.exists && v.since == len(s.done) && v.id != made.GetVolumeId()
}

// made records the volume of an OK answer.
func (s *sequence) made(v *volume, asked wish, made *csi.Volume, segments model.Set) {
	if v.exists {
		if s.isTwin(v, made) {
			v.forgotten = true
			s.room.lose()
		}
		return
	}
	delete(s.deleted, made.GetVolumeId())
	if asked.source != nil {
		asked.source.noteCopy()
	}
	*v = volume{
		number: v.number, name: v.name, form: v.form, asked: v.asked, id: made.GetVolumeId(), exists: true, since: len(s.done), is: asked, bytes: made.GetCapacityBytes(), told: made.GetCapacityBytes() > 0,
		topology: made.GetAccessibleTopology(), segments: segments, context: made.GetVolumeContext(), inherits: true,
		from: made.GetContentSource(), created: made.GetCapacityBytes(),
	}
	v.holds, v.cut = asked.source.text()
	if !v.told {
		// A driver need not report how large the volume is (VOL-01); then the remaining room is not known.
		v.bytes = max(asked.Bytes, asked.source.now())
		s.room.lose()
	}
	s.room.take(v.segments, v.bytes)
}
