// Package record keeps what the driver must not forget: its volumes, and where
// they are published. A change that was acknowledged is on disk. The package
// knows nothing of requests, capacity or what a volume is on disk.
package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// openTimeout is how long Open waits for another process to let go of the file.
const openTimeout = time.Second

// ErrNotFound is returned for a volume that there is no record of.
var ErrNotFound = errors.New("no record of the volume")

// Each bucket is a sorted map; all values are JSON unless said otherwise.
var (
	volumesBucket = []byte("volumes")      // volume id -> Volume
	namesBucket   = []byte("names")        // volume name -> volume id, as it is
	byVolume      = []byte("publications") // volume id NUL node id -> Publication
	byNode        = []byte("node-volumes") // node id NUL volume id -> nothing
)

// Store is the records of one driver, in one file that one process has open.
// It is safe for concurrent use.
type Store struct {
	db      *bbolt.DB
	changes *changes
}

// Open opens the records at path, and makes the file if there is none. It fails
// if another process has them open.
func Open(path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("making the directory of the records %s: %w", path, err)
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: openTimeout, FreelistType: bbolt.FreelistMapType})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("opening the records %s: another process has them open; end it, or give this one its own directory", path)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the records %s: %w", path, err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, bucket := range [][]byte{volumesBucket, namesBucket, byVolume, byNode} {
			if _, err := tx.CreateBucketIfNotExists(bucket); err != nil {
				return fmt.Errorf("making bucket %s: %w", bucket, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("preparing the records %s: %w", path, errors.Join(err, db.Close()))
	}
	return &Store{db: db, changes: newChanges(db)}, nil
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
