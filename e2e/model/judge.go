package model

import (
	"fmt"

	"google.golang.org/grpc/codes"
)

// Grade is what the specification makes of an answer.
type Grade int

const (
	// Forbidden contradicts a MUST or SHALL.
	Forbidden Grade = iota
	// Discouraged contradicts no MUST, but users will regret it.
	Discouraged
	// Allowed is as asked.
	Allowed
)

// Finding is the grade of one answer, with the clauses that say so.
type Finding struct {
	Grade   Grade
	Reasons []Reason
}

// Judge grades an answer.
func (a Answers) Judge(got Answer) Finding {
	if got.Code == codes.OK {
		return a.judgeVolume(got.Segments)
	}
	for _, refusal := range a.Refusals {
		if refusal.Code == got.Code {
			return Finding{grade(refusal.Discouraged), refusal.Reasons}
		}
	}
	if volume, found := a.asAsked(); found || len(a.Refusals) == 0 {
		possible := Reason{volume.Reasons[0].Clause, fmt.Sprintf("it is refused though %s is possible: %s", volume.Segments, volume.Reasons[0].Text)}
		return Finding{Forbidden, []Reason{possible}}
	}
	refusal := a.Refusals[0]
	return Finding{Forbidden, append([]Reason{{"CVE-02", "the code is not the one of the condition"}}, refusal.Reasons...)}
}

// asAsked is the first volume that is not discouraged; where there is none, the first that is.
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

// judgeVolume grades an OK answer. Where its topologies have fewer keys than the segments, it is that of the segments
// which they stand for; and never better than discouraged where one of them stands for several, as more nodes seem to
// reach the volume then than were asked for.
func (a Answers) judgeVolume(got Set) Finding {
	if finding, listed := a.listed(got); listed {
		return finding
	}
	whole := a.World.Segments().StandingFor(got)
	if whole.Equal(got) {
		return a.judgeSegments(got)
	}
	finding := a.judgeSegments(whole)
	if len(whole) != len(got) {
		finding.Grade = min(finding.Grade, Discouraged)
	}
	partial := Reason{"VOL-19", fmt.Sprintf("a topology with fewer keys than the nodes report is accessible from every segment that has them, which are %s", whole)}
	finding.Reasons = append([]Reason{partial}, finding.Reasons...)
	return finding
}

// listed is the grade of a set that the answers list.
func (a Answers) listed(got Set) (finding Finding, found bool) {
	for _, volume := range a.Volumes {
		if volume.Segments.Equal(got) {
			return Finding{grade(volume.Discouraged), volume.Reasons}, true
		}
	}
	return Finding{}, false
}

func (a Answers) judgeSegments(got Set) Finding {
	if finding, listed := a.listed(got); listed {
		return finding
	}
	if a.Existing != nil {
		return Finding{Forbidden, a.repeatContradiction()}
	}
	known := a.World.Segments()
	if broken := contradiction(known, a.Asked.readings(known), got); broken != (Reason{}) {
		return Finding{Forbidden, []Reason{broken}}
	}
	for _, segment := range got {
		if !a.World.withRoom(a.Asked.Bytes).Contains(segment) {
			return Finding{Forbidden, []Reason{a.Asked.mustFailWithout(segment)}}
		}
	}
	if a.Asked.Free() {
		return Finding{Allowed, []Reason{a.Asked.choice(got)}}
	}
	return Finding{Forbidden, []Reason{{"PF-03", "the preferred topologies are attempted in order, first to last, and a better one was possible"}}}
}

func (a Answers) repeatContradiction() []Reason {
	if len(a.Volumes) > 0 {
		return a.Volumes[0].Reasons
	}
	return a.Refusals[0].Reasons
}

// mustFailWithout is the clause against a volume in a segment that has no room for it.
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

// String is the finding in a line.
func (f Finding) String() string {
	return [...]string{"forbidden", "discouraged", "allowed"}[f.Grade] + ": " + join(f.Reasons)
}
