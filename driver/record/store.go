// SPDX-License-Identifier: Apache-2.0

// Package record keeps the persistent records of the driver: its volumes and snapshots, and the publications of volumes.
// An acknowledged change is on disk. The package does not know requests, capacity or the form of a volume on disk.
package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// openTimeout limits how long Open waits for another process to release the file.
const openTimeout = time.Second

// fillPercent is the percentage to which a page of records is filled before the next one
// is begun. New ids come after the others, so the free space in a page is for records
// that grow.
const fillPercent = 0.9

// ErrNotFound is returned for a volume or snapshot without a record.
var ErrNotFound = errors.New("no record of it")

// Each bucket is a sorted map; all values are JSON unless said otherwise.
var (
	volumesBucket = []byte("volumes")      // volume id -> Volume
	byVolume      = []byte("publications") // volume id NUL node id -> Publication
	byNode        = []byte("node-volumes") // node id NUL volume id -> nothing

	snapshotsBucket = []byte("snapshots")        // snapshot id -> Snapshot
	bySource        = []byte("source-snapshots") // source volume id NUL snapshot id -> nothing
	groupsBucket    = []byte("groups")           // group snapshot id -> Group
)

// Store holds the records of one driver, in one file that only one process may open. It is safe for concurrent use.
type Store struct {
	db            *bbolt.DB
	changes       *changes
	volumeNames   names
	snapshotNames names
	groupNames    names
}

// Open opens the records at path, and makes the file if it does not exist. It fails if
// another process has them open. watch is notified of every commit.
func Open(path string, watch durable.Watch) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("making the directory of the records %s: %w", path, err)
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		// With a link, the records would be created or read at its target.
		return nil, fmt.Errorf("opening the records %s: it is not a regular file (its mode is %s), and the driver did not create it: remove it", path, info.Mode())
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout:      openTimeout,
		FreelistType: bbolt.FreelistMapType,
		// Free pages are found when the file is opened, instead of being written by every commit.
		NoFreelistSync: true,
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("opening the records %s: another process has them open; end it, or give this one its own directory", path)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the records %s: %w", path, err)
	}
	s := &Store{db: db}
	if err := db.Update(s.prepare); err != nil {
		return nil, fmt.Errorf("preparing the records %s: %w", path, errors.Join(err, db.Close()))
	}
	s.changes = newChanges(db, watch)
	return s, nil
}

// prepare makes the buckets that are missing, and loads the existing names.
func (s *Store) prepare(tx *bbolt.Tx) error {
	for _, bucket := range [][]byte{volumesBucket, byVolume, byNode, snapshotsBucket, bySource, groupsBucket} {
		if _, err := tx.CreateBucketIfNotExists(bucket); err != nil {
			return fmt.Errorf("making bucket %s: %w", bucket, err)
		}
	}
	if err := s.volumeNames.load(tx.Bucket(volumesBucket)); err != nil {
		return err
	}
	if err := s.snapshotNames.load(tx.Bucket(snapshotsBucket)); err != nil {
		return err
	}
	return s.groupNames.load(tx.Bucket(groupsBucket))
}

// Close waits for the changes under way and closes the file.
func (s *Store) Close() error {
	s.changes.close()
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("closing the records: %w", err)
	}
	return nil
}

// key joins ids into a key. Neither may hold NUL, so that no two pairs of ids
// have the same key and one id's keys are never a prefix of another's.
func key(first, second string) []byte {
	return []byte(first + "\x00" + second)
}
