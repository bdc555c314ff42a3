// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.etcd.io/bbolt"
)

// Group is the record of one group snapshot: snapshots that were taken together,
// and come and go together.
type Group struct {
	// ID is the driver's, Name the caller's; each is unique among groups.
	ID   string `json:"id"`
	Name string `json:"name"`
	// State is the state of the group and of each of its snapshots.
	State State `json:"state"`
	// Snapshots are the ids of its snapshots, in the order of the ids of their volumes.
	Snapshots []string `json:"snapshots"`
	// Zones is the requested number of segments that each snapshot is usable from; 0 means the segments of its volume.
	Zones int `json:"zones,omitempty"`
	// Taken is the moment that all of its snapshots show.
	Taken time.Time `json:"taken"`
}

// PutGroup writes or replaces the records of a group and of its snapshots, all in one change. It fails if another group
// has its name.
func (s *Store) PutGroup(group Group, members []Snapshot) error {
	encoded, err := json.Marshal(group)
	if err != nil {
		return fmt.Errorf("encoding group snapshot %s: %w", group.ID, err)
	}
	err = s.changes.commit("group snapshot "+string(group.State), func(tx *bbolt.Tx) error {
		if other := s.groupNames.idIn(tx, group.Name); other != "" && other != group.ID {
			return fmt.Errorf("the name %q belongs to group snapshot %s", group.Name, other)
		}
		s.groupNames.assign(tx, group.Name, group.ID)
		for _, member := range members {
			if err := putMember(tx, member); err != nil {
				return err
			}
		}
		return tx.Bucket(groupsBucket).Put([]byte(group.ID), encoded)
	})
	if err != nil {
		return fmt.Errorf("recording group snapshot %s as %s: %w", group.ID, group.State, err)
	}
	return nil
}

// putMember writes the record of a snapshot of a group, which has no name.
func putMember(tx *bbolt.Tx, member Snapshot) error {
	encoded, err := json.Marshal(member)
	if err != nil {
		return fmt.Errorf("encoding snapshot %s: %w", member.ID, err)
	}
	return putSnapshot(tx, member, encoded)
}

// RemoveGroup removes the record of a group, its name, and the records of its
// snapshots, all in one change. It succeeds if there is none.
func (s *Store) RemoveGroup(id string) error {
	err := s.changes.commit("end of group snapshot", func(tx *bbolt.Tx) error {
		found, err := group(tx, id)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, member := range found.Snapshots {
			if err := s.removeSnapshot(tx, member); err != nil {
				return err
			}
		}
		s.groupNames.release(tx, found.Name, id)
		return tx.Bucket(groupsBucket).Delete([]byte(id))
	})
	if err != nil {
		return fmt.Errorf("removing the record of group snapshot %s: %w", id, err)
	}
	return nil
}

// Group returns the group with the id and its snapshots, or ErrNotFound.
func (s *Store) Group(id string) (found Group, members []Snapshot, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		if found, err = group(tx, id); err != nil {
			return err
		}
		for _, id := range found.Snapshots {
			member, err := snapshot(tx, id)
			if err != nil {
				return fmt.Errorf("reading group snapshot %s: %w", found.ID, err)
			}
			members = append(members, member)
		}
		return nil
	})
	return found, members, err
}

// GroupNamed returns the id of the group with the name, or "".
func (s *Store) GroupNamed(name string) (id string) { return s.groupNames.id(name) }

// Groups returns the ids of all groups, in order.
func (s *Store) Groups() (ids []string, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(groupsBucket).ForEach(func(id, _ []byte) error {
			ids = append(ids, string(id))
			return nil
		})
	})
	return ids, err
}

func group(tx *bbolt.Tx, id string) (found Group, err error) {
	encoded := tx.Bucket(groupsBucket).Get([]byte(id))
	if encoded == nil {
		return found, fmt.Errorf("%w %q", ErrNotFound, id)
	}
	if err := json.Unmarshal(encoded, &found); err != nil {
		return found, fmt.Errorf("reading the record of a group snapshot: %w: %q", err, encoded)
	}
	return found, nil
}
