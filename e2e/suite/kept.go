// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"encoding/json"

	"github.com/csi-topo/csi-topo/internal/foreign"
)

const (
	// mostOfMessage is the limit of a result's message, in bytes.
	mostOfMessage = 8 << 10
	// mostOfReason is the limit of its reason, and mostOfProof the limit of one piece of evidence as JSON, in bytes.
	mostOfReason = 1 << 10
	mostOfProof  = 8 << 10
	// mostOfName is the limit of a name in the report, in bytes.
	mostOfName = 1 << 10
)

// CutName cuts a name that a driver has given, such as the name of a segment, to its length in the report.
func CutName(name string) string { return foreign.Cut(name, mostOfName) }

// kept returns the text as the outcome keeps it: edited, and cut to the given number of bytes.
func (o *Outcome) kept(text string, most int) string {
	if o.Edit != nil {
		text = o.Edit(text)
	}
	return foreign.Cut(text, most)
}

// keptMark returns the mark with its message as the outcome keeps it.
func (o *Outcome) keptMark(m Mark) Mark {
	most := mostOfMessage
	if m.Verdict == Skipped {
		most = mostOfReason
	}
	m.Message = o.kept(m.Message, most)
	return m
}

// keptProof returns the piece of evidence as the outcome keeps it: one that is too long becomes a string.
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
