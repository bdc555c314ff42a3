// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"

	"go.etcd.io/bbolt"
)

// Entry is a volume, and the ids of the nodes it is published on, in order.
type Entry struct {
	Volume
	Nodes []string
}

// Page returns the volumes that keep accepts, in the order of their ids: the volumes
// after the given id, which may have been deleted ("" is before all), and at most limit
// of them (0 is all). more reports whether others follow.
func (s *Store) Page(after string, limit int, keep func(Volume) bool) (page []Entry, more bool, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		page, more, err = pageOf(tx.Bucket(volumesBucket), nil, after, limit, func(_, encoded []byte) (Entry, bool, error) {
			v, err := decode(encoded)
			if err != nil || !keep(v) {
				return Entry{}, false, err
			}
			return Entry{Volume: v, Nodes: nodes(tx, v.ID)}, true, nil
		})
		return err
	})
	return page, more, err
}

// pageOf returns a page of the entries that read returns for the keys with the prefix that come after the given id, and
// for their values. It leaves out entries for which keep is false.
func pageOf[E any](from *bbolt.Bucket, prefix []byte, after string, limit int, read func(id, encoded []byte) (entry E, keep bool, err error)) (page []E, more bool, err error) {
	cursor := from.Cursor()
	k, v := seekAfter(cursor, prefix, after)
	for ; k != nil && bytes.HasPrefix(k, prefix); k, v = cursor.Next() {
		entry, keep, err := read(k[len(prefix):], v)
		if err != nil {
			return nil, false, err
		}
		if !keep {
			continue
		}
		if limit > 0 && len(page) == limit {
			return page, true, nil
		}
		page = append(page, entry)
	}
	return page, false, nil
}

// seekAfter moves to the first key that follows prefix and the given id.
func seekAfter(cursor *bbolt.Cursor, prefix []byte, after string) (k, v []byte) {
	start := append(bytes.Clone(prefix), after...)
	k, v = cursor.Seek(start)
	if after != "" && bytes.Equal(k, start) {
		return cursor.Next()
	}
	return k, v
}
