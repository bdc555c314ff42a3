// SPDX-License-Identifier: Apache-2.0

package own

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// Kind is what has an id.
type Kind string

const (
	// Volume is what has a volume_id.
	Volume Kind = "volume"
	// Snapshot is what has a snapshot_id.
	Snapshot Kind = "snapshot"
	// Group is what has a group_snapshot_id.
	Group Kind = "group snapshot"
)

// Register knows what the run has been answered, and what was there before. The zero Register is that of a run that has been
// answered nothing, on a driver that lists nothing. It may be used by several goroutines at once.
type Register struct {
	mu     sync.Mutex
	before map[Kind]map[string]bool // what was listed before the run made anything; nil for what is not listed
	told   map[thing]*told
	lent   map[thing]bool
	others []thing // what was answered and is not the run's, in the order of the answers
}

type thing struct {
	kind Kind
	id   string
}

// told is what is known of an id that was answered to a request to create something.
type told struct {
	name    string // of the first such request
	deleted bool   // by the run
	proven  bool   // by the id, or by lists
	why     string // it is not the run's own; empty for what is
	request string
}

// Answer is what a driver answered to a request to create something.
type Answer struct {
	Kind Kind
	// ID is the answer, and Name what the request was for.
	ID, Name string
	// Run is the name of the run. What has it in its name, or in its id, was made for the run.
	Run string
	// Sound says that the request was one to create something for, and that the answer is what was asked for, as far as that
	// can be seen.
	Sound bool
	// Exclusive says that nobody else uses the back end.
	Exclusive bool
	// Before are the ids of the kind that were listed before the case; nil where they were not.
	Before map[string]bool
	// Request is the request as a message has it.
	Request string
}

// Begin keeps what the driver lists before the run has made anything there. Only the first list counts; nil says that the
// driver does not list what is of the kind.
func (r *Register) Begin(kind Kind, listed map[string]bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, begun := r.before[kind]; begun {
		return
	}
	if r.before == nil {
		r.before = map[Kind]map[string]bool{}
	}
	r.before[kind] = listed
}

// Lend keeps that the run may use what has the id, though it is not its own. It is not deleted, and its size and attributes stay.
func (r *Register) Lend(kind Kind, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lent == nil {
		r.lent = map[thing]bool{}
	}
	r.lent[thing{kind, id}] = true
}

func (r *Register) isLent(kind Kind, id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lent[thing{kind, id}] || r.lent[thing{kind, path.Clean(id)}]
}

// HasBegun reports whether it is known what the driver listed of the kind, or that it did not.
func (r *Register) HasBegun(kind Kind) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, begun := r.before[kind]
	return begun
}

// Claim keeps an answer, and reports whether what has the id is the run's own.
func (r *Register) Claim(a Answer) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := thing{a.Kind, a.ID}
	known, found := r.told[one]
	why, proven := r.whyForeign(a, known)
	switch {
	case !found:
		if r.told == nil {
			r.told = map[thing]*told{}
		}
		known = &told{}
		r.told[one] = known
	case known.why != "":
		return false
	case !known.deleted && (why == "" || known.proven || known.name == a.Name):
		return true // whatever else the later request asked for: the name had the id, and still has
	}
	*known = told{name: a.Name, proven: proven, why: why, request: a.Request}
	if why != "" {
		r.others = append(r.others, one)
	}
	return why == ""
}

// Disown keeps that what has the id, which was answered to the request, is not the run's own, and why.
func (r *Register) Disown(kind Kind, id, why, request string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := thing{kind, id}
	if r.told == nil {
		r.told = map[thing]*told{}
	}
	if known, found := r.told[one]; !found || known.why == "" {
		r.others = append(r.others, one)
	}
	r.told[one] = &told{why: why, request: request}
}

// whyForeign says why nothing shows that what was answered is the run's own; it is empty where something does, and proven where
// that is more than the name. An id of which the run knows that it was its own, and deleted, may be given again.
func (r *Register) whyForeign(a Answer, known *told) (why string, proven bool) {
	switch {
	case a.ID == "":
		return "it has no id", false
	case known == nil && r.before[a.Kind][a.ID]:
		return "it was listed before the run began", false
	case known == nil && a.Before[a.ID]:
		return "it was listed before the case began", false
	case a.Exclusive, a.Run != "" && Carries(a.ID, a.Run):
		return "", true
	case a.Name == "" || !Carries(a.Name, a.Run):
		return "the request had no name of this run", false
	case r.before[a.Kind] != nil && a.Before != nil:
		return "", true
	case !a.Sound:
		return "the request was not one to create it for, and neither the id nor a list shows whose it is", false
	case r.isTaken(a):
		return "the name was answered with another id before, and neither the id nor a list shows whose it is", false
	case known != nil && !known.deleted && known.name != a.Name:
		return fmt.Sprintf("it was answered to the name %q too, and neither the id nor a list shows whose it is", known.name), false
	default:
		return "", false
	}
}

// isTaken reports whether something else has the name of the request.
func (r *Register) isTaken(a Answer) bool {
	for one, known := range r.told {
		if one.kind == a.Kind && one.id != a.ID && known.name == a.Name && !known.deleted {
			return true
		}
	}
	return false
}

// Keeps reports whether the run has made what has the id, and not deleted it.
func (r *Register) Keeps(kind Kind, id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, found := r.told[thing{kind, id}]
	return found && known.why == "" && !known.deleted
}

// Uses reports whether the run has what has the id to use: it keeps it, or was lent it.
func (r *Register) Uses(kind Kind, id string) bool {
	return r.Keeps(kind, id) || r.isLent(kind, id)
}

// Carries reports whether the text has the name of the run in it. A driver may have changed the case of its letters.
func Carries(text, run string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(run))
}

// Delete keeps that what has the id was deleted.
func (r *Register) Delete(kind Kind, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, found := r.told[thing{kind, id}]; found {
		known.deleted = true
	}
}

// Why says why what has the id is not for the run to touch; it is empty for what is the run's, and for what nobody has been
// seen to have. A driver may take an id for a path, so that another one leads to the same.
func (r *Register) Why(kind Kind, id string) string {
	if id == "" {
		return "" // nobody's
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range []string{id, path.Clean(id)} {
		switch known, found := r.told[thing{kind, id}]; {
		case found && known.why != "":
			return fmt.Sprintf("%s; it was answered to %s", known.why, known.request)
		case !found && r.before[kind][id]:
			return "it was listed before the run began"
		}
	}
	return ""
}

// Strangers are the ids of the kind that were listed before the run and are not now, and those that are listed now, were not
// before, and are no answer to any request of the run. told is false where nothing was listed before.
func (r *Register) Strangers(kind Kind, now map[string]bool) (missing, unasked []string, told bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.before[kind]
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if !now[id] {
			missing = append(missing, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(now)) {
		if _, answered := r.told[thing{kind, id}]; !answered && !before[id] {
			unasked = append(unasked, id)
		}
	}
	return missing, unasked, before != nil
}

// Others say in a line each what was answered to the run and is not its own, or may not be.
func (r *Register) Others() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []string
	for _, one := range r.others {
		known := r.told[one]
		lines = append(lines, fmt.Sprintf("%s %q: %s; it was answered to %s", one.kind, one.id, known.why, known.request))
	}
	return lines
}
