// SPDX-License-Identifier: Apache-2.0

package model

import "fmt"

// apart reports whether the topologies differ in the value of the key. A topology without the key differs from no other.
func (s Set) apart(key string) bool {
	var shared string
	known := false
	for _, topology := range s {
		value, found := topology.value(key)
		if known && found && value != shared {
			return true
		}
		if found {
			shared, known = value, true
		}
	}
	return false
}

// unshared returns the request for a volume whose topologies can be combined in any way.
func (r Request) unshared() Request {
	r.Sharing = ""
	return r
}

// asksApart reports whether no volume can have all topologies of the request, however much room there is.
func (r Request) asksApart(w World) bool {
	return r.Sharing != "" && !r.isPossibleIn(w) && r.unshared().isPossibleIn(w)
}

// isPossibleIn reports whether a volume is possible for the request if all segments have room.
func (r Request) isPossibleIn(w World) bool {
	for _, segment := range w.Segments() {
		w = w.With(segment, Room{})
	}
	for _, rd := range r.readings(w.Segments()) {
		if len(possibleSets(rd, w)) > 0 {
			return true
		}
	}
	return false
}

// judgeApart grades an OK answer whose topologies have different values of the key that they should share according to the
// profile. That contradicts the profile, and not the specification.
func (a Answers) judgeApart(got Set) Finding {
	finding := AnswersTo(a.Asked.unshared(), a.World).judgeVolume(got)
	finding.Grade = min(finding.Grade, Discouraged)
	return finding.but(Reason{"VOL-17", fmt.Sprintf(
		"the profile says that all topologies of such a volume share %s, and %s do not: if there are such volumes, leave sharing out; if not, pods will be scheduled where the volume is not",
		a.Asked.Sharing, got)})
}
