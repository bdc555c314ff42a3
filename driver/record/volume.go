package record

import (
	"encoding/json"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// State is how far a volume is in its life.
type State string

const (
	// Creating is a volume that may be on disk, in part or not at all; nobody has been told of it.
	Creating State = "creating"
	// Ready is a volume that is on disk; its creation may have been acknowledged.
	Ready State = "ready"
	// Deleting is a volume that may have gone from the disk already, but still counts.
	Deleting State = "deleting"
)

// Volume is the record of one volume.
type Volume struct {
	// ID is the driver's, Name the caller's; each is unique.
	ID   string `json:"id"`
	Name string `json:"name"`
	// State is how far the volume is in its life.
	State State `json:"state"`
	// Bytes is the size of the volume.
	Bytes int64 `json:"bytes"`
	// GrowingTo is the size that an expansion under way gives the volume, else 0.
	GrowingTo int64 `json:"growingTo,omitempty"`
	// Segments are those that the volume is accessible from.
	Segments []topology.Segment `json:"segments"`
	// Parameters are those of its creation that mean something to the driver.
	Parameters map[string]string `json:"parameters,omitempty"`
}

// Reserved returns the bytes that the volume takes in each of its segments: at
// once those that it is still growing to.
func (v Volume) Reserved() int64 { return max(v.Bytes, v.GrowingTo) }

// Put writes the record of a volume, in place of the one it had. It fails if
// another volume has its name.
func (s *Store) Put(v Volume) error {
	encoded, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding volume %s: %w", v.ID, err)
	}
	err = s.changes.commit(func(tx *bbolt.Tx) error {
		names := tx.Bucket(namesBucket)
		if other := names.Get([]byte(v.Name)); other != nil && string(other) != v.ID {
			return fmt.Errorf("the name %q is that of volume %s", v.Name, other)
		}
		if err := names.Put([]byte(v.Name), []byte(v.ID)); err != nil {
			return err
		}
		return tx.Bucket(volumesBucket).Put([]byte(v.ID), encoded)
	})
	if err != nil {
		return fmt.Errorf("recording volume %s as %s: %w", v.ID, v.State, err)
	}
	return nil
}

// Remove removes the record of a volume and its name; none is no error.
func (s *Store) Remove(id string) error {
	err := s.changes.commit(func(tx *bbolt.Tx) error {
		v, err := volume(tx, id)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := tx.Bucket(namesBucket).Delete([]byte(v.Name)); err != nil {
			return err
		}
		return tx.Bucket(volumesBucket).Delete([]byte(id))
	})
	if err != nil {
		return fmt.Errorf("removing the record of volume %s: %w", id, err)
	}
	return nil
}

// Volume returns the volume of that id, or ErrNotFound.
func (s *Store) Volume(id string) (v Volume, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		v, err = volume(tx, id)
		return err
	})
	return v, err
}

// VolumeNamed returns the volume of that name, or ErrNotFound.
func (s *Store) VolumeNamed(name string) (v Volume, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		id := tx.Bucket(namesBucket).Get([]byte(name))
		if id == nil {
			return fmt.Errorf("%w named %q", ErrNotFound, name)
		}
		v, err = volume(tx, string(id))
		return err
	})
	return v, err
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
