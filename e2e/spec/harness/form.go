// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// Form is a form of accessibility_requirements, with a plain volume that is requested in it.
type Form struct {
	Name  string
	Asked model.Request
}

const (
	oneOfBoth = "with one segment in requisite and preferred"
	allOfBoth = "with all segments in requisite and preferred"
	requisite = "with one segment in requisite and no preferred"
	preferred = "with one segment in preferred and no requisite"
	without   = "without accessibility_requirements"
)

// Forms returns the forms that a CO may choose from: the form of csi-provisioner once a node is selected, with
// --strict-topology and without; requisite or preferred alone; and no requirement, which is the only form if no segment is
// known.
func (d *Driver) Forms() []Form {
	all := d.Segments()
	if len(all) == 0 {
		return []Form{{without, d.Volume(1)}}
	}
	one := d.Zones(max(1, d.Volume(1).X))
	forms := []Form{{oneOfBoth, d.Volume(1).Within(one...).Preferring(one...)}}
	if len(all) > len(one) && !d.Target.hasControllers() {
		forms = append(forms, Form{allOfBoth, d.Volume(1).Within(all...).Preferring(all...)})
	}
	forms = append(forms, Form{requisite, d.Volume(1).Within(one...)}, Form{preferred, d.Volume(1).Preferring(one...)})
	if !d.Target.hasControllers() { // else nothing would say which of them is asked
		forms = append(forms, Form{without, d.Volume(1)})
	}
	return forms
}

// refusedForms holds the forms of accessibility_requirements that Preflight found the driver to refuse. Cases about
// something else use one of the remaining forms.
type refusedForms struct {
	single    bool // one segment alone, though all of segments together are accepted
	segments  model.Set
	several   bool // more than one topology in a list
	both      bool // requisite and preferred together, though requisite alone is accepted
	requisite bool // requisite without preferred
	preferred bool // preferred without requisite
	none      bool // no requirement
	all       bool // requisite, in any of these forms
}

// AsKubernetes returns the request with the topologies that csi-provisioner sends: requisite contains the topologies that
// the request names, or all segments (a sample of them if there are many) if it names none, and preferred the same; as far
// as the driver accepts that. A request that sets preferred, or an empty requirement, is about topology and stays as it is.
func (d *Driver) AsKubernetes(asked model.Request) model.Request {
	refused := d.Target.refused
	if asked.Empty || len(asked.Preferred) > 0 {
		return asked
	}
	free := asked.Free()
	if free && !(refused.all && refused.preferred) {
		asked.Requisite = d.Sample()
	}
	if refused.all {
		if !refused.preferred {
			asked.Preferred = asked.Requisite
		}
		asked.Requisite = nil
		return asked
	}
	if refused.single {
		return d.amongAll(asked)
	}
	switch {
	case d.Target.takesOne() && free:
		asked.Requisite = asked.Requisite[:min(len(asked.Requisite), 1)]
	case d.Target.takesOne():
		asked.Requisite = asked.Requisite[:min(len(asked.Requisite), max(1, asked.X))]
	}
	if !refused.both {
		asked.Preferred = slices.Clone(asked.Requisite)
	}
	return asked
}

// amongAll returns the request as csi-provisioner sends it without --strict-topology: all segments are requisite, and
// the wanted ones come first in preferred.
func (d *Driver) amongAll(asked model.Request) model.Request {
	first := asked.Preferred
	if len(first) == 0 {
		first = asked.Requisite
	}
	asked.Preferred = slices.Clone(first)
	for _, segment := range d.Segments() {
		if !first.Contains(segment) {
			asked.Preferred = append(asked.Preferred, segment)
		}
	}
	asked.Requisite = d.Segments()
	return asked
}

// Taken returns a request about topology. It is sent unchanged unless the driver refuses its form: requisite without
// preferred, or no requirement. Cases about these forms check that a driver accepts them.
func (d *Driver) Taken(asked model.Request) model.Request {
	refused := d.Target.refused
	if d.Target.wantsRequirement() && asked.Free() || refused.requisite && len(asked.Requisite) > 0 {
		return d.AsKubernetes(asked)
	}
	return asked
}

// TakenAlways is like Taken, for one of many requests: it names one topology if the driver accepts no more, all if it
// accepts no fewer, and omits a list that the driver refuses.
func (d *Driver) TakenAlways(asked model.Request) model.Request {
	refused := d.Target.refused
	if asked.Free() {
		return d.Taken(asked)
	}
	if d.Target.takesOne() {
		asked.Requisite = asked.Requisite[:min(len(asked.Requisite), 1)]
		asked.Preferred = asked.Preferred[:min(len(asked.Preferred), 1)]
		if len(asked.Requisite) > 0 && len(asked.Preferred) > 0 {
			asked.Preferred = slices.Clone(asked.Requisite)
		}
	}
	if refused.preferred && len(asked.Requisite) == 0 {
		asked.Requisite = slices.Clone(asked.Preferred)
	}
	switch {
	case refused.all:
		asked.Requisite, asked.Preferred = nil, nil
	case refused.single:
		return d.amongAll(asked)
	case refused.both && len(asked.Requisite) > 0:
		asked.Preferred = nil
	}
	return d.Taken(asked)
}

// WantsRequirement reports whether the driver refused a request without accessibility_requirements before the first
// case, and accepted others.
func (d *Driver) WantsRequirement() bool { return d.Target.refused.none }

func (t *Target) wantsRequirement() bool { return t.refused.none || t.hasControllers() }

// ExactRequest is like CreateVolumeRequest, with exactly the given topologies.
func (d *Driver) ExactRequest(asked model.Request) *csi.CreateVolumeRequest {
	request := d.requestOfKind(asked)
	if asked.Empty || !asked.Free() {
		request.AccessibilityRequirements = &csi.TopologyRequirement{
			Requisite: messages.Topologies(asked.Requisite),
			Preferred: messages.Topologies(asked.Preferred),
		}
	}
	return request
}

// RequirementIn returns the accessibility_requirements of a volume in the segment, in a form that the driver accepts;
// nil if it accepts none.
func (t *Target) RequirementIn(segment model.Segment) *csi.TopologyRequirement {
	in := messages.Topologies(model.Set{segment})
	switch {
	case t.refused.single:
		preferred := model.Set{segment}
		for _, other := range t.refused.segments {
			if !other.Equal(segment) {
				preferred = append(preferred, other)
			}
		}
		return &csi.TopologyRequirement{Requisite: messages.Topologies(t.refused.segments), Preferred: messages.Topologies(preferred)}
	case len(segment) == 0 || t.refused.all && t.refused.preferred:
		return nil
	case t.refused.all:
		return &csi.TopologyRequirement{Preferred: in}
	case t.refused.both:
		return &csi.TopologyRequirement{Requisite: in}
	default:
		return &csi.TopologyRequirement{Requisite: in, Preferred: in}
	}
}
