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
	if len(a.Volumes) > 0 {
		volume := a.Volumes[0]
		possible := Reason{volume.Reasons[0].Clause, fmt.Sprintf("it is refused though %s is possible: %s", volume.Segments, volume.Reasons[0].Text)}
		return Finding{Forbidden, []Reason{possible}}
	}
	refusal := a.Refusals[0]
	return Finding{Forbidden, append([]Reason{{"CVE-02", "the code is not the one of the condition"}}, refusal.Reasons...)}
}

func (a Answers) judgeVolume(got Set) Finding {
	for _, volume := range a.Volumes {
		if volume.Segments.Equal(got) {
			return Finding{grade(volume.Discouraged), volume.Reasons}
		}
	}
	if a.Existing != nil {
		return Finding{Forbidden, a.repeatContradiction()}
	}
	if broken := contradiction(a.World.Segments(), a.Asked, got); broken != (Reason{}) {
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
