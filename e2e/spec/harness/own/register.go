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

// Kind is a kind of object that has an id.
type Kind string

const (
	// Volume is an object with a volume_id.
	Volume Kind = "volume"
	// Snapshot is an object with a snapshot_id.
	Snapshot Kind = "snapshot"
	// Group is an object with a group_snapshot_id.
	Group Kind = "group snapshot"
)

// Register tracks the objects in the answers to a run, and the ones that existed before. The zero Register is for a run
// without answers, on a driver without lists. Several goroutines may use it concurrently.
type Register struct {
	mu     sync.Mutex
	before map[Kind]map[string]bool // the objects listed before the run made any; nil for kinds that are not listed
	told   map[thing]*told
	lent   map[thing]bool
	others []thing // the answers with objects that do not belong to the run, in order
}

type thing struct {
	kind Kind
	id   string
}

// told describes an id in the answer to a creation.
type told struct {
	name    string // of the first such request
	deleted bool   // by the run
	proven  bool   // by the id, or by lists
	why     string // why it does not belong to the run; empty if it does
	request string
}

// Answer is a driver's answer to a creation.
type Answer struct {
	Kind Kind
	// ID is the id in the answer, and Name the name in the request.
	ID, Name string
	// Run is the name of the run. An object with this name in its name or id was made for the run.
	Run string
	// Sound reports that a driver may create an object for the request, and that the answer matches it, as far as that can
	// be seen.
	Sound bool
	// Exclusive reports that no one else uses the back end.
	Exclusive bool
	// Before holds the ids of the kind that were listed before the case; nil if they were not.
	Before map[string]bool
	// Request describes the request for messages.
	Request string
}

// Begin records the objects that the driver lists before the run has made any. Only the first list counts; nil means that
// the driver does not list objects of the kind.
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

// Lend records that the run may use the object with the id, though it does not belong to the run. It is not deleted,
// and its size and attributes stay.
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

// HasBegun reports whether Begin was called for the kind.
func (r *Register) HasBegun(kind Kind) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, begun := r.before[kind]
	return begun
}

// Claim records an answer, and reports whether the object belongs to the run.
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
		return true // whatever else the later request contained: the name had the id, and still has it
	}
	*known = told{name: a.Name, proven: proven, why: why, request: a.Request}
	if why != "" {
		r.others = append(r.others, one)
	}
	return why == ""
}

// Disown records that the object in the answer to the request does not belong to the run, and why.
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

// whyForeign explains why nothing shows that the object in the answer belongs to the run. It is empty if something does;
// proven reports whether that is more than the name. An id that belonged to the run may be used again after it was deleted.
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
		return "the request should have been refused, and neither the id nor a list shows that this run made it", false
	case r.isTaken(a):
		return "the name was answered with another id before, and neither the id nor a list shows that this run made it", false
	case known != nil && !known.deleted && known.name != a.Name:
		return fmt.Sprintf("it was returned for the name %q too, and neither the id nor a list shows that this run made it", known.name), false
	default:
		return "", false
	}
}

// isTaken reports whether another object has the name of the request.
func (r *Register) isTaken(a Answer) bool {
	for one, known := range r.told {
		if one.kind == a.Kind && one.id != a.ID && known.name == a.Name && !known.deleted {
			return true
		}
	}
	return false
}

// Keeps reports whether the run has made the object, and not deleted it.
func (r *Register) Keeps(kind Kind, id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, found := r.told[thing{kind, id}]
	return found && known.why == "" && !known.deleted
}

// Uses reports whether the run may use the object: it keeps it, or was lent it.
func (r *Register) Uses(kind Kind, id string) bool {
	return r.Keeps(kind, id) || r.isLent(kind, id)
}

// Carries reports whether the text contains the name of the run. A driver may have changed the case of its letters.
func Carries(text, run string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(run))
}

// Delete records that the object with the id was deleted.
func (r *Register) Delete(kind Kind, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, found := r.told[thing{kind, id}]; found {
		known.deleted = true
	}
}

// Why explains why the run must not touch the object with the id. It is empty for an object of the run, and for an
// object that has not been seen. A driver may take an id for a path, so that another id leads to the same object.
func (r *Register) Why(kind Kind, id string) string {
	if id == "" {
		return "" // it identifies nothing
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range []string{id, path.Clean(id)} {
		switch known, found := r.told[thing{kind, id}]; {
		case found && known.why != "":
			return fmt.Sprintf("%s; it was returned for %s", known.why, known.request)
		case !found && r.before[kind][id]:
			return "it was listed before the run began"
		}
	}
	return ""
}

// Strangers returns the ids of the kind that were listed before the run and are not now, and the ids that are listed now,
// were not before, and are in no answer to the run. told is false if nothing was listed before.
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

// Others describes, in a line each, the objects in answers that do not, or may not, belong to the run.
func (r *Register) Others() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []string
	for _, one := range r.others {
		known := r.told[one]
		lines = append(lines, fmt.Sprintf("%s %q: %s; it was returned for %s", one.kind, one.id, known.why, known.request))
	}
	return lines
}
