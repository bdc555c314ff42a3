// SPDX-License-Identifier: Apache-2.0

// Package answer checks what the specification says about every answer, whatever the request was. It is independent of
// drivers and cases.
package answer

import (
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Flaw is a field of an answer that contradicts a clause.
type Flaw struct {
	// Clause is the id of the clause in the register, and Field the full name of the field.
	Clause, Field string
	// Text states the allowed and the actual value of the field.
	Text string
	// Regretted reports that no MUST forbids it.
	Regretted bool
}

// Judge judges the answers of one run. The zero Judge has seen none.
type Judge struct {
	mu     sync.Mutex
	judged map[string]bool   // pairs of a key and a value of topologies
	keys   map[string]string // spelling of each key of a topology, by its lower case
	prefix string            // prefix of the first of these keys that has one
	told   history
}

// Flaws returns the flaws of the endpoint's answer, compared with the request and with earlier answers. Only the new keys
// and values of a topology are judged.
func (j *Judge) Flaws(endpoint string, request, answer proto.Message) []Flaw {
	flaws := j.flawsOf(answer.ProtoReflect())
	flaws = append(flaws, flawsByRequest(request, answer)...)
	flaws = append(flaws, j.changes(endpoint, request, answer)...)
	for _, text := range Oversized(answer) {
		field, _, _ := strings.Cut(text, " ")
		clause := "GEN-04"
		if strings.HasSuffix(field, ".node_id") {
			clause = "NI-09"
		}
		flaws = append(flaws, Flaw{Clause: clause, Field: field, Text: text})
	}
	return flaws
}

// flawsOf judges a message and the messages in it.
func (j *Judge) flawsOf(m protoreflect.Message) []Flaw {
	flaws := missing(m)
	flaws = append(flaws, negative(m)...)
	if topology, is := m.Interface().(*csi.Topology); is {
		flaws = append(flaws, j.flawsOfTopology(topology.GetSegments())...)
	} else {
		flaws = append(flaws, flawsOfKind(m)...)
	}
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.Kind() != protoreflect.MessageKind || field.IsMap() || isOfRequest(field):
		case field.IsList():
			for i := range value.List().Len() {
				flaws = append(flaws, j.flawsOf(value.List().Get(i).Message())...)
			}
		default:
			flaws = append(flaws, j.flawsOf(value.Message())...)
		}
		return true
	})
	return flaws
}

// isOfRequest reports whether the field repeats a value of the request, whether or not that was valid.
func isOfRequest(field protoreflect.FieldDescriptor) bool {
	return field.Message().FullName() == "csi.v1.VolumeCapability"
}
