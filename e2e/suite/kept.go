// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"encoding/json"

	"github.com/csi-topo/csi-topo/internal/foreign"
)

const (
	// mostOfMessage is how many bytes of a message the result of a case has.
	mostOfMessage = 8 << 10
	// mostOfReason is how many bytes of a reason it has, and mostOfProof of the value of one piece of evidence, as JSON.
	mostOfReason = 1 << 10
	mostOfProof  = 8 << 10
	// mostOfName is how many bytes of a name the report has.
	mostOfName = 1 << 10
)

// CutName is a name that a driver has given, such as that of a segment, as the report has it.
func CutName(name string) string { return foreign.Cut(name, mostOfName) }

// kept is the text as the outcome keeps it: edited, and cut to so many bytes.
func (o *Outcome) kept(text string, most int) string {
	if o.Edit != nil {
		text = o.Edit(text)
	}
	return foreign.Cut(text, most)
}

// keptMark is the mark with its message as the outcome keeps it.
func (o *Outcome) keptMark(m Mark) Mark {
	most := mostOfMessage
	if m.Verdict == Skipped {
		most = mostOfReason
	}
	m.Message = o.kept(m.Message, most)
	return m
}

// keptProof is the piece of evidence as the outcome keeps it: one that is too long becomes a text.
func (o *Outcome) keptProof(p Proof) Proof {
	text := o.kept(string(p.Value), mostOfProof)
	if text == string(p.Value) {
		return p
	}
	if json.Valid([]byte(text)) {
		p.Value = json.RawMessage(text)
	} else {
		p.Value, _ = json.Marshal(text) // a string always has a JSON form
	}
	return p
}
