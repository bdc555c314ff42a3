// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// State is the state of a volume or a snapshot in its life.
type State string

const (
	// Creating means that it may be on disk, partly or not at all; no caller knows of it.
	Creating State = "creating"
	// Ready means that it is on disk; its creation may have been acknowledged.
	Ready State = "ready"
	// Deleting means that it may already be gone from the disk, but still takes room.
	Deleting State = "deleting"
)

// Volume is the record of one volume.
type Volume struct {
	// ID is the driver's, Name the caller's; each is unique.
	ID   string `json:"id"`
	Name string `json:"name"`
	// State is the state of the volume in its life.
	State State `json:"state"`
	// Bytes is the size of the volume.
	Bytes int64 `json:"bytes"`
	// GrowingTo is the new size during an expansion, otherwise 0.
	GrowingTo int64 `json:"growingTo,omitempty"`
	// Segments are the segments that the volume is accessible from.
	Segments []topology.Segment `json:"segments"`
	// Class is the class of storage that it takes its bytes from.
	Class string `json:"class,omitempty"`
	// Allocated is true if all of its bytes are allocated on disk at once.
	Allocated bool `json:"allocated,omitempty"`
	// FromVolume and FromSnapshot are the id of its source; at most one is set.
	FromVolume   string `json:"fromVolume,omitempty"`
	FromSnapshot string `json:"fromSnapshot,omitempty"`
}

// Reserved returns the bytes that the volume takes in each of its segments, including those of an unfinished growth.
func (v Volume) Reserved() int64 { return max(v.Bytes, v.GrowingTo) }

// Put writes or replaces the record of a volume. It fails if another volume has its name.
func (s *Store) Put(v Volume) error {
	encoded, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding volume %s: %w", v.ID, err)
	}
	err = s.changes.commit("volume "+string(v.State), func(tx *bbolt.Tx) error {
		if other := s.volumeNames.idIn(tx, v.Name); other != "" && other != v.ID {
			return fmt.Errorf("the name %q belongs to volume %s", v.Name, other)
		}
		s.volumeNames.assign(tx, v.Name, v.ID)
		volumes := tx.Bucket(volumesBucket)
		volumes.FillPercent = fillPercent
		return volumes.Put([]byte(v.ID), encoded)
	})
	if err != nil {
		return fmt.Errorf("recording volume %s as %s: %w", v.ID, v.State, err)
	}
	return nil
}

// Remove removes the record of a volume and its name. It succeeds if there is none.
func (s *Store) Remove(id string) error {
	err := s.changes.commit("end of volume", func(tx *bbolt.Tx) error {
		v, err := volume(tx, id)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		s.volumeNames.release(tx, v.Name, id)
		return tx.Bucket(volumesBucket).Delete([]byte(id))
	})
	if err != nil {
		return fmt.Errorf("removing the record of volume %s: %w", id, err)
	}
	return nil
}

// Volume returns the volume with the id, or ErrNotFound.
func (s *Store) Volume(id string) (v Volume, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		v, err = volume(tx, id)
		return err
	})
	return v, err
}

// VolumeNamed returns the volume with the name, or ErrNotFound.
func (s *Store) VolumeNamed(name string) (Volume, error) {
	id := s.volumeNames.id(name)
	if id == "" {
		return Volume{}, fmt.Errorf("%w named %q", ErrNotFound, name)
	}
	return s.Volume(id)
}

func volume(tx *bbolt.Tx, id string) (Volume, error) {
	encoded := tx.Bucket(volumesBucket).Get([]byte(id))
	if encoded == nil {
		return Volume{}, fmt.Errorf("%w %q", ErrNotFound, id)
	}
	return decode(encoded)
}

func decode(encoded []byte) (Volume, error) {
	var v Volume
	if err := json.Unmarshal(encoded, &v); err != nil {
		return v, fmt.Errorf("reading the record of a volume: %w: %q", err, encoded)
	}
	return v, nil
}
