package spec

import "github.com/csi-topo/csi-topo/e2e/model"

// option is a part of what CreateVolume is asked, in the specification's words.
type option func(*model.Request)

// accessibleFrom asks for a volume that is accessible from x topologies.
func accessibleFrom(x int) option {
	return func(r *model.Request) { r.X = x }
}

// requisite names the topologies that the volume must be accessible from.
func requisite(segments ...model.Segment) option {
	return func(r *model.Request) { r.Requisite = segments }
}

// preferred names the topologies to be attempted, first to last.
func preferred(segments ...model.Segment) option {
	return func(r *model.Request) { r.Preferred = segments }
}

// emptyRequirement asks with a TopologyRequirement that names no topology.
func emptyRequirement() option {
	return func(r *model.Request) { r.Empty = true }
}

// bytes asks for another size than the case's.
func bytes(size int64) option {
	return func(r *model.Request) { r.Bytes = size }
}

// Volume is a request for a volume of the case's size.
func (d *driver) Volume(options ...option) model.Request {
	r := model.Request{Bytes: d.size()}
	for _, set := range options {
		set(&r)
	}
	return r
}
