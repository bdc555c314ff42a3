// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"fmt"
	"sync"

	"go.etcd.io/bbolt"
)

// names maps names to ids. It is in memory, and filled from the records when they are
// opened. On disk it would cost most of all: names come in no order, so a hundred new
// ones are on nearly as many pages, and each commit writes all of these.
type names struct {
	mu  sync.RWMutex
	ids map[string]string

	// The one transaction that writes, and the ids that names have in it; "" is a
	// name that it frees.
	writing *bbolt.Tx
	changed map[string]string
}

// load takes the names from records, whatever else is in these.
func (n *names) load(records *bbolt.Bucket) error {
	n.ids = map[string]string{}
	return records.ForEach(func(id, encoded []byte) error {
		var named struct {
			Name string `json:"name"`
		}
		if err := json.Unmarshal(encoded, &named); err != nil {
			return fmt.Errorf("reading the name of %s: %w: %q", id, err, encoded)
		}
		if named.Name != "" {
			n.ids[named.Name] = string(id)
		}
		return nil
	})
}

// id returns the id that has the name, as far as it is on disk; "" is none.
func (n *names) id(name string) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.ids[name]
}

// idIn returns the id that the name would have after the transaction.
func (n *names) idIn(tx *bbolt.Tx, name string) string {
	if id, changed := n.in(tx)[name]; changed {
		return id
	}
	return n.id(name)
}

// assign lets the id have the name once the transaction is on disk.
func (n *names) assign(tx *bbolt.Tx, name, id string) { n.in(tx)[name] = id }

// release frees the name if the id has it.
func (n *names) release(tx *bbolt.Tx, name, id string) {
	if n.idIn(tx, name) == id {
		n.in(tx)[name] = ""
	}
}

func (n *names) in(tx *bbolt.Tx) map[string]string {
	if n.writing != tx {
		n.writing, n.changed = tx, map[string]string{}
		tx.OnCommit(n.committed)
	}
	return n.changed
}

func (n *names) committed() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for name, id := range n.changed {
		if id == "" {
			delete(n.ids, name)
			continue
		}
		n.ids[name] = id
	}
}
