// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"slices"
	"strings"
)

// ids are the ids of the objects that exist under one name, each represented by a letter, in order.
type ids string

// unknown represents the id of an object that a call without a clear answer may have made.
const unknown = "?"

// named is the history of the objects that are created and deleted under one name.
type named struct {
	*history[ids]
	// create requests the name, and returns the id of the created object, or "" if that is open, with the error. remove
	// deletes the object with the id, and exists reads it; nil if it cannot be read.
	create func(ctx context.Context) (id string, err error)
	remove func(ctx context.Context, id string) error
	exists func(ctx context.Context, id string) (gone bool, err error)
	// creation and deletion are the names of the calls, and clause the clause by which a name belongs to one object. several
	// is the clause by which concurrent calls should not make more than one, if that is not a MUST.
	creation, deletion, lookup, clause, several string

	// listed reports that a list shows which object another id belongs to, if it is in an answer while the first object is
	// deleted.
	listed bool

	letters []string // the ids, by their letters
}

// letter returns the letter of an id.
func (n *named) letter(id string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := slices.Index(n.letters, id)
	if i < 0 {
		i = len(n.letters)
		n.letters = append(n.letters, id)
	}
	return string(rune('a' + i))
}

// ask creates an object with the name, and returns its id, or "" if the answer does not contain it.
func (n *named) ask(ctx context.Context, client int) (id string) {
	n.make(client, n.creation, mayCreate, func() (answer[ids], error) {
		var err error
		if id, err = n.create(ctx); err != nil || id == "" {
			return answer[ids]{}, err
		}
		return answer[ids]{"OK, " + id, n.isCreated(n.letter(id)), n.clause, n.several}, nil
	})
	return id
}

// mayCreate returns the effect of a creation that may succeed.
func mayCreate(before ids, _ bool) []ids {
	if before == "" {
		return []ids{before, unknown}
	}
	return []ids{before}
}

// isCreated returns the effect of a creation that was answered with the id of the letter: before, that object exists, or
// nothing does. Concurrent calls may have made more than one if that is not a MUST.
func (n *named) isCreated(letter string) effect[ids] {
	return func(before ids, strict bool) []ids {
		var after []ids
		switch {
		case strings.Contains(string(before), letter):
			return []ids{before}
		case strings.Contains(string(before), unknown):
			after = append(after, before.without(unknown).with(letter))
		case before == "":
			return []ids{ids(letter)}
		}
		if !strict && n.several != "" && n.madeAtOnce(letter, before) {
			after = append(after, before.with(letter))
		}
		return after
	}
}

// madeAtOnce reports whether the object of the letter may have been made before any of the others was in an answer.
func (n *named) madeAtOnce(letter string, others ids) bool {
	return slices.ContainsFunc(n.calls, func(made *call[ids]) bool {
		return n.isAnswered(made, letter) && !slices.ContainsFunc([]rune(others), func(other rune) bool {
			return string(other) != unknown && n.isKept(string(other), made)
		})
	})
}

func (n *named) isAnswered(c *call[ids], letter string) bool {
	return c.asked == n.creation && c.text == "OK, "+n.letters[letter[0]-'a']
}

// isKept reports whether the object of the letter was in an answer before the call began, and not deleted until it ended.
func (n *named) isKept(letter string, until *call[ids]) bool {
	deletion := n.deletion + " of " + n.letters[letter[0]-'a']
	return slices.ContainsFunc(n.calls, func(c *call[ids]) bool {
		return n.isAnswered(c, letter) && c.until < until.from && !slices.ContainsFunc(n.calls, func(d *call[ids]) bool {
			return d.asked == deletion && c.from < d.until && d.from < until.until
		})
	})
}

// delete deletes the object with the id.
func (n *named) delete(ctx context.Context, client int, id string) (settled bool) {
	letter := n.letter(id)
	deleted := func(before ids, _ bool) []ids {
		after := []ids{before.without(letter)}
		if strings.Contains(string(before), unknown) { // which may have the id
			after = append(after, before.without(letter).without(unknown))
		}
		return after
	}
	mayDelete := func(before ids, strict bool) []ids { return append(deleted(before, strict), before) }
	return n.make(client, n.deletion+" of "+id, mayDelete, func() (answer[ids], error) {
		if err := n.remove(ctx, id); err != nil {
			return answer[ids]{}, err
		}
		return answer[ids]{text: "OK", means: deleted}, nil
	})
}

// look reads the object with the id. Finding it after it was deleted is not a contradiction: the specification does not say
// how soon it is gone.
func (n *named) look(ctx context.Context, client int, id string) (settled bool) {
	letter := n.letter(id)
	same := func(before ids, _ bool) []ids { return []ids{before} }
	return n.make(client, n.lookup+" of "+id, same, func() (answer[ids], error) {
		switch gone, err := n.exists(ctx, id); {
		case gone:
			return answer[ids]{"NOT_FOUND", func(before ids, strict bool) []ids {
				if strings.Contains(string(before), letter) {
					return nil
				}
				return same(before, strict)
			}, n.clause, n.clause}, nil
		case err != nil:
			return answer[ids]{}, err
		default:
			return answer[ids]{text: "OK", means: same}, nil
		}
	})
}

// meet lets clients create concurrently, and then create and delete concurrently. A single client then reads the result, and
// deletes it. meet reports whether all calls were answered.
func (n *named) meet(ctx context.Context) bool {
	var id string // the last answer
	ask := func(ctx context.Context, client int) bool {
		id = n.ask(ctx, client)
		return id != ""
	}
	first := func(ctx context.Context, client int) { n.ask(ctx, client) }
	n.atOnce(ctx, first, first, func(ctx context.Context, client int) { ask(ctx, client) })
	if id == "" && !n.settle(ctx, ask) {
		return false
	}
	again := func(ctx context.Context, client int) {
		if id := n.ask(ctx, client); id != "" && n.exists != nil {
			n.look(ctx, client, id)
		}
	}
	clients := []func(ctx context.Context, client int){again, again}
	if deleted := id; n.listed {
		clients = append(clients, func(ctx context.Context, client int) { n.delete(ctx, client, deleted) })
	}
	n.atOnce(ctx, clients...)
	if !n.settle(ctx, ask) {
		return false
	}
	// Once more: the repetition finds what the first attempt created.
	return n.settle(ctx, ask) && n.settle(ctx, func(ctx context.Context, client int) bool { return n.delete(ctx, client, id) })
}

func (s ids) with(letter string) ids {
	letters := []rune(string(s.without(letter)) + letter)
	slices.Sort(letters)
	return ids(letters)
}

func (s ids) without(letter string) ids { return ids(strings.ReplaceAll(string(s), letter, "")) }
