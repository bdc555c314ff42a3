package record

import (
	"errors"
	"sync"

	"go.etcd.io/bbolt"
)

// errClosed is returned for a change that comes after the store was closed.
var errClosed = errors.New("the records are closed")

// changes commits changes to the database in groups: while one commit waits for
// the disk, the changes that arrive meanwhile gather, and are the next one. A
// lone change waits for nobody, and a hundred at once cost a few fsyncs. (DB.Batch
// of bbolt delays a lone change to see whether others come.)
type changes struct {
	db   *bbolt.DB
	done chan struct{}

	mu      sync.Mutex
	arrived *sync.Cond
	waiting []change
	closed  bool
}

type change struct {
	apply  func(*bbolt.Tx) error
	result chan error
}

func newChanges(db *bbolt.DB) *changes {
	c := &changes{db: db, done: make(chan struct{})}
	c.arrived = sync.NewCond(&c.mu)
	go c.run()
	return c
}

// commit applies a change, and returns when it is on disk, or why it is not.
// The function may be called more than once, each time in a transaction that
// holds nothing of the call before.
func (c *changes) commit(apply func(*bbolt.Tx) error) error {
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

// next waits for changes and takes all there are; none when the store closes.
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

// write commits the group as one transaction. Where one of its changes is
// refused, nothing of the transaction stays, and each is committed by itself, so
// that every caller gets its own answer.
func (c *changes) write(group []change) {
	err := c.db.Update(func(tx *bbolt.Tx) error {
		for _, change := range group {
			if err := change.apply(tx); err != nil {
				return err
			}
		}
		return nil
	})
	for _, change := range group {
		if err != nil && len(group) > 1 {
			change.result <- c.db.Update(change.apply)
		} else {
			change.result <- err
		}
	}
}
