// SPDX-License-Identifier: Apache-2.0

package record

import "go.etcd.io/bbolt"

// Entry is a volume, and the ids of the nodes it is published on, in order.
type Entry struct {
	Volume
	Nodes []string
}

// Page returns the volumes that keep accepts, in the order of their ids: those
// that come after the given id, which may have been deleted ("" is before
// all), and at most limit of them (0 is all). more tells whether others follow.
func (s *Store) Page(after string, limit int, keep func(Volume) bool) (page []Entry, more bool, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		cursor := tx.Bucket(volumesBucket).Cursor()
		id, encoded := seekAfter(cursor, nil, after)
		for ; id != nil; id, encoded = cursor.Next() {
			v, err := decode(encoded)
			if err != nil {
				return err
			}
			if !keep(v) {
				continue
			}
			if limit > 0 && len(page) == limit {
				more = true
				return nil
			}
			page = append(page, Entry{Volume: v, Nodes: nodes(tx, v.ID)})
		}
		return nil
	})
	return page, more, err
}
