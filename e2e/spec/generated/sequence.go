package generated

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// sequence is a plan as it is carried out on the driver.
type sequence struct {
	under   *harness.Driver
	room    room
	volumes map[int]*volume
	// deleted has the ids of the volumes that were deleted.
	deleted map[string]bool
	// waived has the clauses by which no answer is judged.
	waived map[string]bool
	// hasty does not wait for the driver to settle.
	hasty bool

	// taken is how many steps of the plan were carried out, and done is what came of those that meant anything.
	taken int
	done  []outcome
}

// outcome is a step that was carried out.
type outcome struct {
	asked, answered string
	// state is what the sequence knew before, as far as it matters, and allowed are the answers that were.
	state, allowed string
	// broken are the clauses that the answer contradicts, and regretted those that it only goes against.
	broken, regretted []model.Reason
	// lost says that there was no answer.
	lost bool
}

// begin surveys a driver on which the case has made nothing.
func begin(ctx context.Context, under *harness.Driver, waived map[string]bool) *sequence {
	return &sequence{under: under, room: survey(ctx, under), volumes: map[int]*volume{}, deleted: map[string]bool{}, waived: waived}
}

// shape is what a plan may have for the driver.
func (s *sequence) shape() Shape {
	claims := s.under.Claims
	expands := s.under.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_ONLINE) || s.under.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_OFFLINE)
	shape := Shape{
		Segments: len(s.under.Zones(asksFor)),
		Room:     s.room.told,
		Grow:     claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME) && expands,
		List:     claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES),
	}
	for _, kind := range s.under.Profile().Volumes {
		if kind.AccessibleFrom <= len(s.room.places) {
			shape.Kinds = append(shape.Kinds, kind.AccessibleFrom)
		}
	}
	if claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		shape.Nodes = len(s.under.Nodes)
	}
	return shape
}

// carryOut takes the plan's steps, up to the first whose answer is wrong.
func (s *sequence) carryOut(ctx context.Context, plan []Step) {
	for _, step := range plan {
		s.taken++
		done, meant := s.take(ctx, step)
		if !meant {
			continue
		}
		done.waive(s.waived)
		s.done = append(s.done, done)
		if done.lost || len(done.broken) > 0 {
			return
		}
	}
}

// failure is what is wrong with the last answer; the zero Reason when nothing is.
func (s *sequence) failure() model.Reason {
	if len(s.done) == 0 || len(s.done[len(s.done)-1].broken) == 0 {
		return model.Reason{}
	}
	return s.done[len(s.done)-1].broken[0]
}

// contradicted are the clauses that the last answer is wrong by, and those that any answer only went against.
func (s *sequence) contradicted() (broken, regretted []string) {
	for _, o := range s.done {
		for _, reason := range o.broken {
			broken = append(broken, reason.Clause)
		}
		for _, reason := range o.regretted {
			regretted = append(regretted, reason.Clause)
		}
	}
	return broken, regretted
}

// take carries one step out. One that is about a volume which there never was means nothing.
func (s *sequence) take(ctx context.Context, step Step) (done outcome, meant bool) {
	v := s.volume(step.Name)
	switch {
	case step.Move == List:
		return s.list(ctx), true
	case step.Move == Create:
		done = s.create(ctx, v, s.asked(step))
	case step.Move == Again && v.asked != nil:
		done = s.create(ctx, v, *v.asked)
	case v.id == "":
		return outcome{}, false
	case step.Move == Delete:
		done = s.delete(ctx, v)
	case step.Move == Grow:
		done = s.grow(ctx, v, step.Size)
	case step.Move == Publish:
		return s.publish(ctx, v, s.node(v, step.Node)), true
	default:
		return s.unpublish(ctx, v, s.node(v, step.Node)), true
	}
	if !done.lost && len(done.broken) == 0 {
		s.compareRoom(ctx, &done, v)
	}
	return done, true
}

// volume is that of the name's number, under a name which is new in the driver.
func (s *sequence) volume(name int) *volume {
	if name > 0 && s.volumes[name] == nil {
		s.volumes[name] = &volume{name: s.under.Name()}
	}
	return s.volumes[name]
}

// outcomeOf begins the outcome of a call with what is wrong with any failed status.
func outcomeOf(asked string, err error) outcome {
	o := outcome{asked: asked, answered: "OK"}
	if err == nil {
		return o
	}
	failed := status.Convert(err)
	o.answered = model.Answer{Code: failed.Code(), Message: failed.Message()}.String()
	o.lost = failed.Code() == codes.Unavailable || failed.Code() == codes.Canceled
	if failed.Message() == "" {
		o.broken = append(o.broken, model.Reason{Clause: "GEN-15", Text: "a status that is not OK has a message that a human can read"})
	}
	if len(failed.Details()) > 0 {
		o.broken = append(o.broken, model.Reason{Clause: "GEN-16", Text: "status.details is empty"})
	}
	return o
}
