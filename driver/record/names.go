// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"fmt"
	"sync"

	"go.etcd.io/bbolt"
)

// names maps names to ids. It is in memory, and filled from the records when they are opened. On disk it would be the
// largest cost: names are in no order, so that a hundred new ones would be on nearly as many pages, and each commit would
// write all of them.
type names struct {
	mu  sync.RWMutex
	ids map[string]string

	// writing is the only transaction that writes, and changed maps names to their new ids in it; "" means that it frees the
	// name.
	writing *bbolt.Tx
	changed map[string]string
}

// load reads the names from records, and ignores their other fields.
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

// id returns the id with the name according to the changes on disk, or "".
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

// assign gives the name to the id once the transaction is on disk.
func (n *names) assign(tx *bbolt.Tx, name, id string) { n.in(tx)[name] = id }

// release frees the name if it belongs to the id.
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
