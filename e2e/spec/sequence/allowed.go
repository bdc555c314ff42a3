// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"maps"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// world returns the known room for the requested volume. The room that a copy takes is unknown: a copy that shares the
// blocks of its source may be in a full segment. A copy may only be possible where its source is, and refusals are judged
// accordingly.
func (s *sequence) world(asked wish, err error) model.World {
	exists := func(segment model.Segment) bool {
		return isOnlyPlace(segment) || s.driver.Room.Makes(max(1, asked.X), segment)
	}
	known := s.room.known(err)
	if s.together || asked.limitOnly {
		known = nothing
	}
	if asked.source == nil {
		return s.room.world(known, exists).Seeing(s.learned.topology)
	}
	inReach := func(segment model.Segment) bool {
		near := asked.source.segments
		return exists(segment) && (err == nil || len(near) == 0 || near.Contains(segment))
	}
	if err == nil {
		known = nothing
	}
	return s.room.world(known, inReach).Seeing(s.learned.topology)
}

// allowance holds the answers that are allowed.
type allowance struct {
	model.Answers
	// besides holds refusals that are allowed for reasons that the oracle does not know.
	besides []model.Refusal
}

// judge grades the answer. A refusal of a volume that is possible is wrong by the condition with its code, or by its
// code if a condition may hold that the oracle does not know: neither says anything about topology.
func (a allowance) judge(got model.Answer) model.Finding {
	for _, refusal := range a.besides {
		if refusal.Code == got.Code {
			return model.Finding{Grade: model.Allowed, Reasons: refusal.Reasons}
		}
	}
	finding := a.Judge(got)
	if finding.Grade > model.Forbidden || got.Code == codes.OK || finding.Reasons[0].Clause == "CREATE-02" {
		return finding
	}
	isNew := a.Existing == nil
	switch {
	case isNew && got.Code == codes.OutOfRange:
		finding.Reasons = reasons("CREATE-11", "OUT_OF_RANGE is for a capacity_range that the driver does not allow, and this one is possible")
	case isNew && got.Code == codes.AlreadyExists:
		finding.Reasons = reasons("CREATE-06", "ALREADY_EXISTS is for a name that has a volume, and this one has none")
	case isNew && got.Code == codes.NotFound:
		finding.Reasons = reasons("CREATE-05", "NOT_FOUND is for a source that does not exist, and there is none, or it exists")
	case len(a.besides) > 0:
		finding.Reasons = reasons(a.clause(), "it is refused though it is possible, unless "+a.unless()+"; the code belongs to none of these conditions")
	}
	return finding
}

func reasons(clause, text string) []model.Reason {
	return []model.Reason{{Clause: clause, Text: text}}
}

// clause returns the clause that a refusal contradicts if its code belongs to no condition. It is the clause of the only
// condition that may hold, unless that is a row of CreateVolume's codes: CREATE-02 covers those, and several conditions.
func (a allowance) clause() string {
	if clause := a.besides[0].Reasons[0].Clause; len(a.besides) == 1 && !strings.HasPrefix(clause, "CREATE-") {
		return clause
	}
	return "CREATE-02"
}

// unless returns the conditions that the oracle does not know, with their codes.
func (a allowance) unless() string {
	var conditions []string
	for _, refusal := range a.besides {
		conditions = append(conditions, refusal.Reasons[0].Text+", which is "+model.CodeName(refusal.Code))
	}
	return strings.Join(conditions, ", or ")
}

// String lists the answers, each followed by the clauses that allow it.
func (a allowance) String() string {
	all := a.Answers
	all.Refusals = slices.Concat(all.Refusals, a.besides)
	return all.String()
}

// may adds a code that is allowed as well.
func (a *allowance) may(code codes.Code, clause, text string) {
	a.besides = append(a.besides, refusalOf(code, clause, text))
}

// must adds a code that must be answered if no other condition holds.
func (a *allowance) must(code codes.Code, clause, text string) {
	others := slices.DeleteFunc(a.Refusals, func(r model.Refusal) bool { return r.Code == code && r.Discouraged })
	a.Refusals = slices.Insert(others, 0, refusalOf(code, clause, text))
}

func refusalOf(code codes.Code, clause, text string) model.Refusal {
	return model.Refusal{Code: code, Reasons: reasons(clause, text)}
}

// allowed returns the answers that the specification allows.
func (s *sequence) allowed(v *volume, asked wish, world model.World) allowance {
	answers := allowance{Answers: model.AnswersTo(asked.oracle(), world)}
	if v.exists {
		answers = s.allowedAgain(v, asked, world)
	}
	// A repeated call must be answered, even if the driver would not create such a volume now, or the source is gone.
	compatible := v.exists && len(answers.Volumes) > 0 && asked.kind == v.is.kind && asked.use == v.is.use
	isOfSize := compatible && v.told
	beyond := asked.Bytes > s.room.largest || !s.room.told && asked.Bytes > s.driver.Size()
	if !isOfSize && beyond && (v.exists || len(answers.Volumes) == 0 || !s.room.told || s.together) {
		answers.may(codes.OutOfRange, "CREATE-11", "no volume of the driver may have such a size")
	}
	if !isOfSize && asked.limit > 0 {
		answers.may(codes.OutOfRange, "CREATE-11", "the driver may have no size in the capacity_range")
	}
	if !v.exists && v.form != Usual && !s.hasTaken(v.form, asked.source) {
		answers.may(codes.InvalidArgument, "CREATE-02", "the driver may refuse such a name")
	}
	if !compatible && asked.use != Plain {
		answers.may(codes.InvalidArgument, "CV-16", "the driver may have no volumes of such a capability")
	}
	switch now := asked.source.now(); {
	case asked.source == nil || compatible:
	case asked.isUnsized():
		answers.may(codes.InvalidArgument, "CREATE-02", "the driver may require a capacity_range")
		answers.may(codes.OutOfRange, "CREATE-11", "the driver's usual size may be less than its source has")
		answers.may(codes.ResourceExhausted, "CREATE-08", "there may be no room for a volume of the driver's usual size")
	case asked.Bytes > now:
		answers.may(codes.OutOfRange, "CV-05", "the driver may make no volume that is larger than its source")
	case asked.Bytes < now:
		answers.may(codes.OutOfRange, "CREATE-11", "the driver may make no volume that is smaller than its source")
	}
	if asked.source != nil && !asked.source.exists() {
		const why = "the source is deleted, and what does not exist is NOT_FOUND"
		answers.must(codes.NotFound, "CREATE-05", why)
		if compatible { // the volume is a right answer as well, whatever its source
			answers.Refusals[0] = model.Refusal{Code: codes.NotFound, Discouraged: true, Reasons: reasons("CV-03", "the requested volume exists, and what it was copied from is no longer needed")}
		}
		for i := range answers.Volumes {
			if !v.exists {
				answers.Volumes[i].Discouraged = true
				answers.Volumes[i].Caveats = []model.Reason{{Clause: "CREATE-05", Text: why}}
			}
		}
	}
	return answers
}

// hasTaken reports whether a copy is requested under a name of a form that the driver has accepted for a volume without a
// source.
func (s *sequence) hasTaken(f Form, copied *source) bool {
	return copied != nil && slices.ContainsFunc(slices.Collect(maps.Values(s.volumes)), func(v *volume) bool { return v.exists && v.form == f && v.is.source == nil })
}

// allowedAgain returns the answers to a request with the name of an existing volume, which may differ from the request in
// its size, its number of segments or anything else.
func (s *sequence) allowedAgain(v *volume, asked wish, world model.World) allowance {
	existing := messages.Segments(v.topology)
	if v.segments.Contains(onlyPlace()) {
		existing = v.segments
	}
	answers := allowance{Answers: model.AnswersToRepeat(asked.oracle(), world, existing)}
	const incompatible = "a volume of the same name exists and is incompatible with "
	// The driver decides which parameters and capabilities are compatible.
	if asked.kind != v.is.kind {
		answers.may(codes.AlreadyExists, "CREATE-06", incompatible+"parameters")
	}
	if asked.use != v.is.use {
		answers.may(codes.AlreadyExists, "CREATE-06", incompatible+"volume_capabilities")
	}
	if asked.kind != v.is.kind || asked.use != v.is.use {
		// If the volume is incompatible, there may be no room for a new one either: both rows hold then.
		for _, refusal := range model.AnswersTo(asked.oracle(), world).Refusals {
			if refusal.Code == codes.ResourceExhausted && !refusal.Discouraged {
				answers.besides = append(answers.besides, refusal)
			}
		}
	}
	another := func(than string) {
		answers.Volumes = nil
		answers.must(codes.AlreadyExists, "CREATE-06", incompatible+than)
		// There may be no room for a new volume either: if two rows hold, neither takes precedence.
		answers.may(codes.ResourceExhausted, "CREATE-08", "there may be no room for such a volume")
	}
	if !asked.source.equal(v.is.source) {
		another("volume_content_source")
	}
	if v.told && v.bytes < asked.Bytes || asked.limit > 0 && v.least() > asked.limit {
		another("capacity_range: it has " + v.size())
		answers.may(codes.OutOfRange, "CREATE-11", "the driver may have no such size")
	}
	return answers
}

// isOpen reports whether the specification does not say enough to call the answer wrong, though users will regret it.
func (s *sequence) isOpen(ctx context.Context, v *volume, asked wish, code codes.Code, answers allowance) bool {
	refusable := func(with codes.Code) bool {
		return slices.ContainsFunc(answers.Refusals, func(r model.Refusal) bool { return r.Code == with })
	}
	switch {
	case code == codes.OK:
		return false
	case !v.exists && code == codes.AlreadyExists && v.id != "":
		return !s.isListedGone(ctx, v) // the name may not be free yet
	case asked.source != nil && v.exists && !asked.source.exists():
		return true // the volume exists, and its source does not
	case asked.source != nil && v.form != Usual && code == codes.InvalidArgument:
		return true // the driver accepts the name and the source, but not together
	case asked.source != nil && asked.source.generation > 0:
		return true // the driver decides how often a copy can be copied again
	default:
		// The row of RESOURCE_EXHAUSTED is about requested topologies: without any, no row is about missing room.
		return !v.exists && asked.Free() && refusable(codes.ResourceExhausted) && len(answers.Volumes) == 0
	}
}
