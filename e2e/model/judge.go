// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
)

// Grade is the judgment of an answer by the specification.
type Grade int

const (
	// Forbidden contradicts a MUST or SHALL.
	Forbidden Grade = iota
	// Unknown may contradict one: that depends on facts that the driver does not report.
	Unknown
	// Discouraged contradicts no MUST, but users will regret it.
	Discouraged
	// Allowed satisfies the request.
	Allowed
)

// Finding is the grade of one answer.
type Finding struct {
	Grade Grade
	// Reasons are the clauses that the answer contradicts, or keeps if it is allowed, and Besides are further remarks.
	Reasons, Besides []Reason
}

// Judge grades an answer. An answer that is wrong with room and right without is Unknown if the room is unknown.
func (a Answers) Judge(got Answer) Finding {
	a = a.showing(got.Segments)
	finding := a.grade(got)
	worst, unknown := a.reduced.atWorst(a.Asked.Bytes, got.Segments)
	if finding.Grade == Allowed || a.Existing != nil || len(unknown) == 0 {
		return finding
	}
	other := AnswersTo(a.Asked, worst).grade(got)
	switch {
	case other.Grade == Forbidden && finding.Grade == Forbidden && other.isOfCode() && !finding.isOfCode():
		// With room it contradicts what is requested, and without room it has the wrong code: neither is certain, and
		// the code is wrong in both.
		withRoom := finding.Reasons[0]
		withRoom.Text = "with room, " + withRoom.Text
		return Finding{Forbidden, []Reason{{"CREATE-02", fmt.Sprintf(
			"the driver does not report whether %s has room for %d bytes; %s is right in neither case", unknown, a.Asked.Bytes, CodeName(got.Code))}},
			append([]Reason{withRoom}, other.Reasons...)}
	case other.Grade <= finding.Grade:
		return finding
	case finding.Grade <= Unknown:
		untold := Reason{finding.Reasons[0].Clause, fmt.Sprintf(
			"the driver does not report whether %s has room for %d bytes: if it has none, the answer is right", unknown, a.Asked.Bytes)}
		return Finding{Unknown, []Reason{untold}, other.Reasons}
	default:
		return other
	}
}

// showing returns the answers with the segments of the given answer in the reduced world.
func (a Answers) showing(got Set) Answers {
	a.World.shown, a.reduced.shown = got, got
	known, counted := a.World.Segments(), a.reduced.Segments()
	left := func(segment Segment) bool { return known.Contains(segment) && !counted.Contains(segment) }
	if !slices.ContainsFunc(got, left) {
		return a
	}
	again := AnswersTo(a.Asked, a.World)
	again.Asked = a.Asked
	return again
}

// grade grades an answer as if there were room in all segments with unknown room.
func (a Answers) grade(got Answer) Finding {
	switch {
	case a.Asked.X == 0 && a.Existing == nil:
		return a.gradeByAnyX(got)
	case got.Code == codes.OK:
		return a.judgeVolume(got.Segments)
	default:
		return a.judgeRefusal(got)
	}
}

// gradeByAnyX grades an answer if x is not known: a volume shows it, and a refusal may be right for one x only.
func (a Answers) gradeByAnyX(got Answer) Finding {
	known := a.reduced.Segments()
	if finding, all := a.judgeEverywhere(got); all {
		return finding
	}
	numbers := []int{max(1, len(got.Segments)), max(1, len(known.StandingFor(got.Segments)))}
	if got.Code != codes.OK {
		numbers = nil
		for x := range max(1, len(known)) {
			numbers = append(numbers, x+1)
		}
	}
	var best, worst Finding
	for i, x := range numbers {
		finding := AnswersTo(a.Asked.of(x), a.World).grade(got)
		if i == 0 || finding.Grade > best.Grade {
			best = finding
		}
		if i == 0 || finding.Grade < worst.Grade {
			worst = finding
		}
	}
	if got.Code != codes.OK && worst.Grade == Forbidden && best.Grade > Forbidden {
		undeclared := Reason{worst.Reasons[0].Clause, "nothing says how many topologies the volume is to be accessible from, and for some number the answer is right"}
		return Finding{Unknown, []Reason{undeclared}, best.Reasons}
	}
	if got.Code != codes.OK && best.Grade == Forbidden {
		return a.judgeRefusal(got) // which may be right for a reason that has nothing to do with topology
	}
	return best
}

// judgeRefusal grades a failed answer. It may be right for a driver that cannot distinguish several segments, because its
// topologies have fewer keys than the nodes'.
func (a Answers) judgeRefusal(got Answer) Finding {
	finding := a.judgeCode(got)
	if keys := a.reduced.Keys; finding.Grade < Allowed && len(keys) > 0 && a.Existing == nil {
		if coarse := AnswersTo(a.Asked.inKeys(keys, a.reduced.Segments()).only(keys), a.reduced.coarse(keys)).judgeCode(got); coarse.Grade > finding.Grade {
			return coarse
		}
	}
	return finding
}

// judgeCode grades a failed answer by its code.
func (a Answers) judgeCode(got Answer) Finding {
	for _, refusal := range a.Refusals {
		if refusal.Code == got.Code {
			return Finding{Grade: grade(refusal.Discouraged), Reasons: refusal.Reasons}
		}
	}
	refusal, refused := a.refusal()
	if volume, found := a.asAsked(); found && !refused || len(a.Refusals) == 0 {
		possible := Reason{"CREATE-01", "it is refused though it is possible"}
		if len(volume.Reasons) > 0 {
			possible = Reason{volume.Reasons[0].Clause, fmt.Sprintf("it is refused though %s is possible: %s", volume.Segments, volume.Reasons[0].Text)}
		}
		return Finding{Grade: Forbidden, Reasons: []Reason{possible}}
	}
	condition, besides := refusal.Reasons[0], refusal.Reasons[1:]
	if condition.Clause == "CREATE-08" && len(a.Asked.Requisite)+len(a.Asked.Preferred) == 0 && slices.Contains(rowless(), got.Code) {
		return Finding{Discouraged, []Reason{{"CREATE-08",
			"no topology was requested, so the row of RESOURCE_EXHAUSTED does not apply; from another code, users do not learn that there is no room"}}, besides}
	}
	wrong := []Reason{condition}
	if strings.HasPrefix(condition.Clause, "CREATE-") {
		wrong = []Reason{{"CREATE-02", "the code is not the one of the condition"}, condition}
	}
	return Finding{Forbidden, wrong, besides}
}

// rowless returns the codes for errors that no row of the specification's error table describes.
func rowless() []codes.Code {
	return []codes.Code{
		codes.Canceled, codes.Unknown, codes.DeadlineExceeded, codes.FailedPrecondition, codes.Internal, codes.Unavailable, codes.DataLoss,
	}
}

// isOfCode reports whether an answer is wrong by its code alone: there is a condition for another one.
func (f Finding) isOfCode() bool {
	return len(f.Reasons) > 0 && f.Reasons[0].Clause == "CREATE-02"
}

// refusal returns the first refusal that is not discouraged; if there is none, the first one.
func (a Answers) refusal() (refusal Refusal, found bool) {
	for _, refusal := range a.Refusals {
		if !refusal.Discouraged {
			return refusal, true
		}
	}
	if len(a.Refusals) > 0 {
		refusal = a.Refusals[0]
	}
	return refusal, false
}

// asAsked returns the first volume that is not discouraged; if there is none, the first one.
func (a Answers) asAsked() (volume Volume, found bool) {
	for _, volume := range a.Volumes {
		if !volume.Discouraged {
			return volume, true
		}
	}
	if len(a.Volumes) > 0 {
		volume = a.Volumes[0]
	}
	return volume, false
}

// Wanted returns the sets of segments that satisfy the request: each is an answer that is neither forbidden nor
// discouraged.
func (a Answers) Wanted() []Set {
	var sets []Set
	for _, volume := range a.Volumes {
		if !volume.Discouraged {
			sets = append(sets, volume.Segments)
		}
	}
	return sets
}

// judgeVolume grades an OK answer. A topology with fewer keys than the segments counts as one, or as each of the segments
// that match it, if either is allowed. As one it is discouraged, because more nodes than requested seem to reach the volume
// then.
func (a Answers) judgeVolume(got Set) Finding {
	if finding, listed := a.listed(got); listed {
		return finding
	}
	if len(got) == 0 {
		return a.judgeNoTopology()
	}
	if a.Existing == nil && a.reduced.Open {
		if finding, more := a.judgeBeyondKnown(got); more {
			return finding
		}
	}
	whole := a.reduced.Segments().StandingFor(got)
	if a.Existing == nil && whole.apart(a.Asked.Sharing) {
		return a.judgeApart(got)
	}
	if whole.Equal(got) {
		return a.judgeSegments(got)
	}
	finding := a.judgeSegments(whole)
	if len(whole) != len(got) {
		finding.Grade = min(finding.Grade, Discouraged)
	}
	if coarse := a.judgeCoarse(got); coarse.Grade > finding.Grade {
		finding = coarse
	}
	return finding.but(Reason{"VOL-19", fmt.Sprintf("a topology with fewer keys than the nodes report is accessible from every segment that has them, which are %s", whole)})
}

// judgeCoarse grades an OK answer as if the driver's topologies had only the keys of the answer. It is discouraged at
// best.
func (a Answers) judgeCoarse(got Set) Finding {
	keys, alike := got.sameKeys()
	if !alike {
		return Finding{}
	}
	world, asked := a.reduced.coarse(keys), a.Asked.inKeys(keys, a.reduced.Segments())
	world.shown = got.only(keys)
	coarse := AnswersTo(asked, world)
	if a.Existing != nil {
		coarse = AnswersToRepeat(asked, world, a.Existing.only(keys))
	}
	finding := coarse.judgeVolume(got.only(keys))
	finding.Grade = min(finding.Grade, Discouraged)
	return finding
}

// judgeNoTopology grades an OK answer without accessible_topology.
func (a Answers) judgeNoTopology() Finding {
	known := a.reduced.Segments()
	wrong := a.Asked.flaw(known)
	switch {
	case wrong.regretted:
		return Finding{Grade: Discouraged, Reasons: []Reason{{"GEN-12", "the request is invalid: " + wrong.Text}}}
	case a.Asked.Everywhere || len(known) == 0 && !a.reduced.Open:
		return Finding{Grade: Allowed, Reasons: []Reason{{"VOL-17", "without accessible_topology the volume is accessible from everywhere"}}}
	default:
		return Finding{Grade: Discouraged, Reasons: []Reason{{"VOL-17", "without accessible_topology the volume is taken to be accessible from everywhere; if that is so, " +
			"say so in the profile by accessibleFrom: everywhere, and if not, pods will be scheduled where it is not"}}}
	}
}

// judgeEverywhere grades an OK answer that lists every known segment for a volume that is accessible from everywhere, and so
// from every requested topology; all is false for any other.
func (a Answers) judgeEverywhere(got Answer) (finding Finding, all bool) {
	known := a.reduced.Segments()
	whole := known.StandingFor(got.Segments)
	left := func(segment Segment) bool { return !whole.Contains(segment) }
	room := a.reduced.withRoom(a.Asked.Bytes)
	if !a.Asked.Everywhere || got.Code != codes.OK || len(known) == 0 || len(room) < len(known) || slices.ContainsFunc(known, left) {
		return Finding{}, false
	}
	world, _ := a.reduced.Including(whole, a.Asked.terms())
	if wrong := notTopologies(world.Segments(), whole); wrong != (Reason{}) {
		return Finding{Grade: Forbidden, Reasons: []Reason{wrong}}, true
	}
	if wrong := a.Asked.flaw(known); wrong.regretted {
		return Finding{Grade: Discouraged, Reasons: []Reason{{"GEN-12", "the request is invalid: " + wrong.Text}}}, true
	}
	return Finding{Grade: Allowed, Reasons: []Reason{{"TR-15", "the volume is accessible from everywhere, all of requisite included"}}}, true
}

// judgeBeyondKnown grades an OK answer with topologies that contain no known node, in a world that may have more segments;
// more is false if there are no such topologies.
func (a Answers) judgeBeyondKnown(got Set) (finding Finding, more bool) {
	world, seen := a.reduced.Including(got, a.Asked.terms())
	switch {
	case seen.Equal(got) && len(world.Places) == len(a.reduced.Places):
		return Finding{}, false
	case seen.Equal(got):
		return AnswersTo(a.Asked, world).judgeVolume(got), true
	}
	finding = Finding{Reasons: []Reason{}}
	if len(seen) > 0 {
		finding = AnswersTo(a.Asked.of(0), world).grade(Answer{Segments: seen})
	}
	if len(seen) == 0 || finding.Grade > Discouraged {
		finding.Grade = Discouraged
	}
	return finding.but(Reason{"VOL-19", fmt.Sprintf("%s has a key that no known node reports, so that no node may be found by it", got)}), true
}

// listed returns the finding for a set that the answers list.
func (a Answers) listed(got Set) (finding Finding, found bool) {
	for _, volume := range a.Volumes {
		if volume.Segments.Equal(got) {
			return volume.finding(), true
		}
	}
	return Finding{}, false
}

func (a Answers) judgeSegments(got Set) Finding {
	if finding, listed := a.listed(got); listed {
		return finding
	}
	if a.Existing != nil {
		return a.judgeRepeat(got)
	}
	known := a.reduced.Segments()
	if broken := contradiction(known, a.Asked.readings(known), got); broken != (Reason{}) {
		return Finding{Grade: Forbidden, Reasons: []Reason{broken}}
	}
	for _, segment := range got {
		if !a.reduced.withRoom(a.Asked.Bytes).Contains(segment) {
			return Finding{Grade: Forbidden, Reasons: []Reason{a.Asked.mustFailWithout(segment)}}
		}
	}
	if a.Asked.Free() {
		return Finding{Grade: Allowed, Reasons: []Reason{a.Asked.choice(got)}}
	}
	return Finding{Grade: Forbidden, Reasons: []Reason{{"PF-03", "the preferred topologies are attempted in order, first to last, and a better one was possible"}}}
}

// judgeRepeat grades an OK answer that spells the topologies differently from the earlier one, which is allowed.
func (a Answers) judgeRepeat(got Set) Finding {
	if len(a.Volumes) == 0 {
		refused := a.Refusals[0].Reasons
		return Finding{Forbidden, refused[:1], refused[1:]}
	}
	volume := a.Volumes[0]
	if a.reduced.Segments().StandingFor(volume.Segments).Equal(got) {
		return volume.finding()
	}
	return Finding{Grade: Forbidden, Reasons: volume.Reasons}
}

// mustFailWithout returns the clause against a volume in a segment that has no room for it.
func (r Request) mustFailWithout(segment Segment) Reason {
	failure := r.mustFail()
	return Reason{failure.Clause, fmt.Sprintf("%s has no room for the volume; %s", segment, failure.Text)}
}

func grade(discouraged bool) Grade {
	if discouraged {
		return Discouraged
	}
	return Allowed
}

// finding returns the finding for an answer that the oracle lists.
func (v Volume) finding() Finding {
	if len(v.Caveats) > 0 {
		return Finding{Discouraged, v.Caveats, v.Reasons}
	}
	return Finding{Grade: grade(v.Discouraged), Reasons: v.Reasons}
}

// but returns the finding of an answer with a reason why users will regret it, if it contradicts nothing else.
func (f Finding) but(regretted Reason) Finding {
	if f.Grade <= Unknown {
		f.Besides = append([]Reason{regretted}, f.Besides...)
		return f
	}
	return Finding{f.Grade, []Reason{regretted}, append(f.Reasons, f.Besides...)}
}

// String returns the finding in one line.
func (f Finding) String() string {
	return [...]string{"forbidden", "cannot be determined", "discouraged", "allowed"}[f.Grade] + ": " + join(slices.Concat(f.Reasons, f.Besides))
}
