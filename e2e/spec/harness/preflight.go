// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
)

// Preflight creates plain volumes and deletes them, before the first case, to find the form of accessibility_requirements
// that the driver accepts. The error explains in a sentence why cases would be useless: the profile lacks a field, or the
// driver does not answer.
func (s *Suite) Preflight(ctx context.Context) error {
	return s.Ask(ctx, "preflight", func(ctx context.Context, d *Driver) error {
		if !d.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
			return unknownReach(d)
		}
		trials, err := s.tryForms(ctx, d)
		if err != nil {
			return err
		}
		if trials.taken() {
			s.target.refused = trials.refused()
			s.target.refused.segments = d.Segments()
			return nil
		}
		first := trials[0]
		fix := remedy(first.err, d.Room.Constrained)
		if statuses.Untaken(first.err) {
			fix = cmp.Or(createsOnly(ctx, d), fix)
		}
		return fmt.Errorf("the driver refuses a plain volume, which every case needs: CreateVolume with %s answered %s%s; %s",
			sentWith(first.request), describe.Status(first.err), trials[1:].say(first.err), fix)
	})
}

// unknownReach returns the error of an existing volume whose topology is not known.
func unknownReach(d *Driver) error {
	if !d.usesExisting() || !d.Room.Constrained || len(d.Profile().ExistingVolume.AccessibleTopology) > 0 {
		return nil
	}
	segments := d.Segments()
	if len(segments) < 2 {
		return nil
	}
	return fmt.Errorf("the profile does not say from where its existing volume is accessible, and the driver has the segments %s: set accessibleTopology of existingVolume to the segments of the volume", segments)
}

// VolumeTook returns how long the creation of the plain volume took, with its repetitions, or 0 if none was created.
func (s *Suite) VolumeTook() time.Duration {
	return s.volumeTook
}

// Refused describes which forms of accessibility_requirements the driver refused before the first case, and so which
// form cases about something else use. It is empty if the driver accepted all forms.
func (s *Suite) Refused() string {
	return s.target.refused.String()
}

// trial is a plain volume that was requested in one form.
type trial struct {
	form    Form
	request *csi.CreateVolumeRequest
	err     error
}

type trials []trial

// tryForms requests a plain volume in each form. The error reports that a call had no answer, and no other form was
// accepted before.
func (s *Suite) tryForms(ctx context.Context, d *Driver) (trials, error) {
	if len(d.Segments()) == 0 {
		free, err := s.try(ctx, d, d.Forms()[0])
		if err == nil && free.taken() && d.Room.Constrained {
			d.claims.learnt = learn(ctx, s.target, &s.health, d.claims)
			d.know(d.claims)
			s.keepClaims(d.claims)
		}
		if err != nil || len(d.Segments()) == 0 {
			return trials{free}, err
		}
	}
	var all trials
	for _, f := range d.Forms() {
		tried, err := s.try(ctx, d, f)
		switch {
		case err == nil:
			all = append(all, tried)
		case all.taken(): // the cases use an accepted form, and the case about this one judges it
			return append(all, trial{form: f, err: err}), nil
		default:
			return nil, err
		}
	}
	return all, nil
}

// try requests one volume. It is removed with the others.
func (s *Suite) try(ctx context.Context, d *Driver, form Form) (trial, error) {
	request := d.ExactRequest(form.Asked)
	begin := time.Now()
	_, err := d.Controller.CreateVolume(ctx, request)
	if err == nil && s.volumeTook == 0 {
		s.volumeTook = time.Since(begin)
	}
	var none *attempt.NoAnswer
	if errors.As(err, &none) {
		return trial{}, fmt.Errorf("no volume can be created: %s", none.Text)
	}
	return trial{form, request, err}, nil
}

// taken reports whether the driver accepts the form, though it may have no room.
func (t trial) taken() bool { return t.err == nil || status.Code(t.err) == codes.ResourceExhausted }

// taken reports whether the driver accepts one of the forms.
func (all trials) taken() bool {
	for _, t := range all {
		if t.taken() {
			return true
		}
	}
	return false
}

// refused returns the forms that the driver refuses.
func (all trials) refused() refusedForms {
	found := map[string]bool{}
	for _, t := range all {
		found[t.form.Name] = !t.taken()
	}
	_, several := found[allOfBoth] // asked for
	single := several && found[oneOfBoth] && !found[allOfBoth]
	both := found[oneOfBoth] && !single
	return refusedForms{
		single:    single,
		several:   found[allOfBoth] && !found[oneOfBoth],
		both:      both && !found[requisite],
		requisite: found[requisite] && !both && !single,
		preferred: found[preferred],
		none:      found[without],
		all:       both && found[requisite],
	}
}

// say describes the results of the other forms, if they differ.
func (all trials) say(first error) string {
	text, same := "", 0
	for _, t := range all {
		if describe.Status(t.err) == describe.Status(first) {
			same++
			continue
		}
		text += fmt.Sprintf(", and %s %s", t.form.Name, describe.Status(t.err))
	}
	if same > 0 && same == len(all) {
		return ", and the same in every other form of accessibility_requirements"
	}
	return text
}

// String names the refused forms.
func (r refusedForms) String() string {
	const how = "; cases about something else call it with "
	switch {
	case r.all && r.preferred:
		return "CreateVolume accepts no accessibility_requirements" + how + "none"
	case r.all:
		return "CreateVolume accepts no requisite" + how + "preferred alone"
	case r.both:
		return "CreateVolume accepts no preferred together with requisite" + how + "requisite alone"
	}
	var text string
	add := func(refused bool, what string) {
		switch {
		case !refused:
		case text == "":
			text = what
		default:
			text += ", and " + what
		}
	}
	add(r.single, "only lists of all topologies")
	add(r.several, "no more than one topology in a list")
	add(r.requisite, "no requisite without preferred")
	add(r.preferred, "no preferred without requisite")
	add(r.none, "no request without accessibility_requirements")
	switch {
	case text == "":
		return ""
	case r.single:
		return "CreateVolume accepts " + text + how + "all segments in requisite and preferred"
	case r.several:
		return "CreateVolume accepts " + text + how + "one segment in requisite and preferred"
	default:
		return "CreateVolume accepts " + text + how + "segments in requisite and preferred"
	}
}

// createsOnly describes which field of the profile to set if the driver, which refused the plain volume, creates a
// volume with another capability.
func createsOnly(ctx context.Context, d *Driver) string {
	const shared = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	for _, other := range []struct {
		applies    bool
		capability *csi.VolumeCapability
		fix        string
	}{
		{d.Profile().HasMount(), d.Block(), "it creates raw block volumes: set mount: false and block: true in the profile"},
		{d.Profile().Plain().Mode() != shared, messages.As(d.Capability(), shared), "it creates volumes of MULTI_NODE_MULTI_WRITER: set accessMode of the first of the profile's volumes to that"},
	} {
		if !other.applies {
			continue
		}
		request := d.CreateVolumeRequest(d.Volume(1))
		request.VolumeCapabilities = []*csi.VolumeCapability{other.capability}
		if _, err := d.Controller.CreateVolume(ctx, request); err == nil {
			return other.fix
		}
	}
	return ""
}
