// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// Snapshot is the record of one snapshot.
type Snapshot struct {
	// ID is the driver's, Name the caller's; each is unique. A snapshot of a group
	// has no name.
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	// GroupID is the id of its group; "" means none.
	GroupID string `json:"groupID,omitempty"`
	// State is the state of the snapshot in its life.
	State State `json:"state"`
	// VolumeID is the id of its volume, which may have been deleted since.
	VolumeID string `json:"volumeID"`
	// Bytes is the size of the volume when the snapshot was taken, and the size of the snapshot.
	Bytes int64 `json:"bytes"`
	// Class is the class of storage that it takes its bytes from.
	Class string `json:"class,omitempty"`
	// Segments are the segments that it is usable from.
	Segments []topology.Segment `json:"segments"`
	// Taken is the moment that it shows.
	Taken time.Time `json:"taken"`
}

// PutSnapshot writes or replaces the record of a snapshot. It fails if another snapshot has its name.
func (s *Store) PutSnapshot(snapshot Snapshot) error {
	encoded, err := json.Marshal(snapshot)
	if err != nil {
		return fmt.Errorf("encoding snapshot %s: %w", snapshot.ID, err)
	}
	err = s.changes.commit("snapshot "+string(snapshot.State), func(tx *bbolt.Tx) error {
		if other := s.snapshotNames.idIn(tx, snapshot.Name); other != "" && other != snapshot.ID {
			return fmt.Errorf("the name %q belongs to snapshot %s", snapshot.Name, other)
		}
		s.snapshotNames.assign(tx, snapshot.Name, snapshot.ID)
		return putSnapshot(tx, snapshot, encoded)
	})
	if err != nil {
		return fmt.Errorf("recording snapshot %s as %s: %w", snapshot.ID, snapshot.State, err)
	}
	return nil
}

func putSnapshot(tx *bbolt.Tx, snapshot Snapshot, encoded []byte) error {
	if err := tx.Bucket(bySource).Put(key(snapshot.VolumeID, snapshot.ID), nil); err != nil {
		return err
	}
	snapshots := tx.Bucket(snapshotsBucket)
	snapshots.FillPercent = fillPercent
	return snapshots.Put([]byte(snapshot.ID), encoded)
}

// RemoveSnapshot removes the record of a snapshot and its name. It succeeds if there is
// none.
func (s *Store) RemoveSnapshot(id string) error {
	err := s.changes.commit("end of snapshot", func(tx *bbolt.Tx) error { return s.removeSnapshot(tx, id) })
	if err != nil {
		return fmt.Errorf("removing the record of snapshot %s: %w", id, err)
	}
	return nil
}

func (s *Store) removeSnapshot(tx *bbolt.Tx, id string) error {
	found, err := snapshot(tx, id)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	s.snapshotNames.release(tx, found.Name, id)
	if err := tx.Bucket(bySource).Delete(key(found.VolumeID, id)); err != nil {
		return err
	}
	return tx.Bucket(snapshotsBucket).Delete([]byte(id))
}

// Snapshot returns the snapshot with the id, or ErrNotFound.
func (s *Store) Snapshot(id string) (found Snapshot, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		found, err = snapshot(tx, id)
		return err
	})
	return found, err
}

// SnapshotNamed returns the snapshot with the name, or ErrNotFound.
func (s *Store) SnapshotNamed(name string) (Snapshot, error) {
	id := s.snapshotNames.id(name)
	if id == "" {
		return Snapshot{}, fmt.Errorf("%w named %q", ErrNotFound, name)
	}
	return s.Snapshot(id)
}

func snapshot(tx *bbolt.Tx, id string) (Snapshot, error) {
	encoded := tx.Bucket(snapshotsBucket).Get([]byte(id))
	if encoded == nil {
		return Snapshot{}, fmt.Errorf("%w %q", ErrNotFound, id)
	}
	return decodeSnapshot(encoded)
}

func decodeSnapshot(encoded []byte) (Snapshot, error) {
	var s Snapshot
	if err := json.Unmarshal(encoded, &s); err != nil {
		return s, fmt.Errorf("reading the record of a snapshot: %w: %q", err, encoded)
	}
	return s, nil
}

// SnapshotPage returns the snapshots that keep accepts, in the order of their ids: the
// snapshots after the given id, which may have been deleted ("" is before all), and at
// most limit of them (0 is all). more reports whether others follow.
func (s *Store) SnapshotPage(after string, limit int, keep func(Snapshot) bool) (page []Snapshot, more bool, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		page, more, err = pageOf(tx.Bucket(snapshotsBucket), nil, after, limit, func(_, encoded []byte) (Snapshot, bool, error) {
			found, err := decodeSnapshot(encoded)
			return found, err == nil && keep(found), err
		})
		return err
	})
	return page, more, err
}

// SnapshotsOf does what SnapshotPage does, for the snapshots of one volume.
func (s *Store) SnapshotsOf(volumeID, after string, limit int, keep func(Snapshot) bool) (page []Snapshot, more bool, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		page, more, err = pageOf(tx.Bucket(bySource), key(volumeID, ""), after, limit, func(id, _ []byte) (Snapshot, bool, error) {
			found, err := snapshot(tx, string(id))
			return found, err == nil && keep(found), err
		})
		return err
	})
	return page, more, err
}
