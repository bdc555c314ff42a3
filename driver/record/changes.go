// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"slices"
	"sync"

	"go.etcd.io/bbolt"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// errClosed is returned for a change after the store was closed.
var errClosed = errors.New("the records are closed")

// changes commits changes to the database in groups: changes that arrive while a commit waits for the disk are collected
// for the next one. A single change does not wait, and a hundred at once cost a few fsyncs. (DB.Batch of bbolt delays a
// single change to wait for others.)
type changes struct {
	db    *bbolt.DB
	watch durable.Watch
	done  chan struct{}

	mu      sync.Mutex
	arrived *sync.Cond
	waiting []change
	closed  bool
}

type change struct {
	apply  func(*bbolt.Tx) error
	result chan error
}

func newChanges(db *bbolt.DB, watch durable.Watch) *changes {
	c := &changes{db: db, watch: watch, done: make(chan struct{})}
	c.arrived = sync.NewCond(&c.mu)
	go c.run()
	return c
}

// commit applies a change, and returns when it is on disk, or an error. step names it for the watch. The function may be
// called more than once, each time in a transaction without the effects of the earlier call.
func (c *changes) commit(step string, apply func(*bbolt.Tx) error) error {
	return c.watch.Do("commit "+step, func() error { return c.enqueue(apply) })
}

// enqueue adds the change to the next group, and waits until that is on disk.
func (c *changes) enqueue(apply func(*bbolt.Tx) error) error {
	result := make(chan error, 1)
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return errClosed
	}
	c.waiting = append(c.waiting, change{apply: apply, result: result})
	c.mu.Unlock()
	c.arrived.Signal()
	return <-result
}

// close lets the waiting changes finish and refuses new ones.
func (c *changes) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.arrived.Signal()
	<-c.done
}

func (c *changes) run() {
	defer close(c.done)
	for {
		group := c.next()
		if len(group) == 0 {
			return
		}
		c.write(group)
	}
}

// next waits for changes and returns all that are waiting; none when the store closes.
func (c *changes) next() []change {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.waiting) == 0 && !c.closed {
		c.arrived.Wait()
	}
	group := c.waiting
	c.waiting = nil
	return group
}

// write commits the group as one transaction. It drops a change that is refused and tries the others again, so that no
// effect of that change stays and the others need no separate commits.
func (c *changes) write(group []change) {
	for len(group) > 0 {
		refused, err := c.try(group)
		if refused < 0 {
			for _, change := range group {
				change.result <- err
			}
			return
		}
		group[refused].result <- err
		group = slices.Delete(group, refused, refused+1)
	}
}

// try commits all changes or, if one is refused, none: then it returns the index of that one. Otherwise refused is -1,
// and the error is from the commit.
func (c *changes) try(group []change) (refused int, err error) {
	refused = -1
	err = c.db.Update(func(tx *bbolt.Tx) error {
		for i, change := range group {
			if err := change.apply(tx); err != nil {
				refused = i
				return err
			}
		}
		return nil
	})
	return refused, err
}
