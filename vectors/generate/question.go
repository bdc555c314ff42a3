// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/vectors"
)

// question is the request of a vector, and the driver that gets it.
type question struct {
	segments, full, existing model.Set
	x                        int
	requisite, preferred     model.Set
	// empty says that the request has a TopologyRequirement with neither list.
	empty bool
}

// volumeBytes is the size of the volume; the vectors have no sizes.
const volumeBytes = 1

// answers returns the answers that the oracle allows.
func (q question) answers() model.Answers {
	var w model.World
	for _, segment := range q.segments {
		room := model.Exactly(volumeBytes)
		if q.full.Contains(segment) {
			room = model.NoneFor(volumeBytes)
		}
		w = w.With(segment, room)
	}
	asked := model.Request{X: q.x, Bytes: volumeBytes, Requisite: q.requisite, Preferred: q.preferred, Empty: q.empty}
	if q.existing != nil {
		return model.AnswersToRepeat(asked, w, q.existing)
	}
	return model.AnswersTo(asked, w)
}

// free reports whether the request names no topology.
func (q question) free() bool { return len(q.requisite)+len(q.preferred) == 0 }

// builder collects vectors, and names their topologies.
type builder struct{ file vectors.File }

// add completes the vector with the request and the allowed answers.
func (b *builder) add(q question, v vectors.Vector) {
	v.Segments, v.Full, v.Existing, v.X = b.named(q.segments), b.named(q.full), b.named(q.existing), q.x
	if !q.free() || q.empty {
		v.Requirement = &vectors.Requirement{Requisite: b.named(q.requisite), Preferred: b.named(q.preferred)}
	}
	b.judge(q, &v)
	b.file.Vectors = append(b.file.Vectors, v)
}

// named returns the names of the topologies, and adds the topologies to the file.
func (b *builder) named(topologies model.Set) []string {
	var names []string
	for _, topology := range topologies {
		name := nameOf(topology)
		b.file.Topologies[name] = topology
		names = append(names, name)
	}
	return names
}

// nameOf returns the name of a topology: its name in the specification, such as R1/Z2, if it has one.
func nameOf(topology model.Segment) string {
	region, zone := topology["region"], topology["zone"]
	plain := slices.DeleteFunc([]string{region, zone}, func(value string) bool { return value == "" })
	if len(plain) == len(topology) && len(plain) > 0 {
		return strings.ReplaceAll(strings.Join(plain, "/"), nowhere, "nowhere")
	}
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(topology)) {
		pairs = append(pairs, key+"="+topology[key])
	}
	return "{" + strings.Join(pairs, ",") + "}"
}
