// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"
)

// ErrNodeFull is returned for a publication beyond the limit of a node.
var ErrNodeFull = errors.New("the node has as many volumes as it may")

// Publication is the record of a volume made available on a node.
type Publication struct {
	VolumeID string `json:"volumeID"`
	NodeID   string `json:"nodeID"`
	// AccessMode is the name of the CSI access mode; the other fields come from the
	// request.
	AccessMode string   `json:"accessMode"`
	Block      bool     `json:"block,omitempty"`
	ReadOnly   bool     `json:"readOnly,omitempty"`
	FSType     string   `json:"fsType,omitempty"`
	MountFlags []string `json:"mountFlags,omitempty"`
}

// Equal reports whether both publish the same volume on the same node in the same way.
func (p Publication) Equal(other Publication) bool {
	return p.VolumeID == other.VolumeID && p.NodeID == other.NodeID && p.AccessMode == other.AccessMode &&
		p.Block == other.Block && p.ReadOnly == other.ReadOnly && p.FSType == other.FSType && slices.Equal(p.MountFlags, other.MountFlags)
}

// Publish writes or replaces the publication of the volume on the node. It returns ErrNodeFull if the node has limit
// other volumes; 0 means unlimited.
func (s *Store) Publish(p Publication, limit int64) error {
	encoded, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encoding the publication of volume %s on node %s: %w", p.VolumeID, p.NodeID, err)
	}
	err = s.changes.commit("publication", func(tx *bbolt.Tx) error {
		// Counted in the transaction, so that no two volumes get the last place on a node.
		if limit > 0 && countOthers(tx, p) >= limit {
			return fmt.Errorf("%w: %d", ErrNodeFull, limit)
		}
		if err := tx.Bucket(byNode).Put(key(p.NodeID, p.VolumeID), nil); err != nil {
			return err
		}
		return tx.Bucket(byVolume).Put(key(p.VolumeID, p.NodeID), encoded)
	})
	if err != nil {
		return fmt.Errorf("recording volume %s on node %s: %w", p.VolumeID, p.NodeID, err)
	}
	return nil
}

// countOthers returns the number of other volumes on the node.
func countOthers(tx *bbolt.Tx, p Publication) int64 {
	var count int64
	prefix, own := key(p.NodeID, ""), key(p.NodeID, p.VolumeID)
	cursor := tx.Bucket(byNode).Cursor()
	for k, _ := cursor.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = cursor.Next() {
		if !bytes.Equal(k, own) {
			count++
		}
	}
	return count
}

// Unpublish removes the publication of a volume on a node. It succeeds if there is
// none.
func (s *Store) Unpublish(volumeID, nodeID string) error {
	err := s.changes.commit("end of publication", func(tx *bbolt.Tx) error {
		if err := tx.Bucket(byNode).Delete(key(nodeID, volumeID)); err != nil {
			return err
		}
		return tx.Bucket(byVolume).Delete(key(volumeID, nodeID))
	})
	if err != nil {
		return fmt.Errorf("removing the record of volume %s on node %s: %w", volumeID, nodeID, err)
	}
	return nil
}

// Publications returns the publications of the volume, in the order of node ids.
func (s *Store) Publications(volumeID string) (found []Publication, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		found, err = publications(tx, volumeID)
		return err
	})
	return found, err
}

func publications(tx *bbolt.Tx, volumeID string) ([]Publication, error) {
	var found []Publication
	prefix := key(volumeID, "")
	cursor := tx.Bucket(byVolume).Cursor()
	for k, encoded := cursor.Seek(prefix); bytes.HasPrefix(k, prefix); k, encoded = cursor.Next() {
		var p Publication
		if err := json.Unmarshal(encoded, &p); err != nil {
			return nil, fmt.Errorf("reading a publication of volume %s: %w: %q", volumeID, err, encoded)
		}
		found = append(found, p)
	}
	return found, nil
}

// nodes returns the nodes that the volume is published on.
func nodes(tx *bbolt.Tx, volumeID string) []string {
	var found []string
	prefix := key(volumeID, "")
	cursor := tx.Bucket(byVolume).Cursor()
	for k, _ := cursor.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = cursor.Next() {
		found = append(found, string(k[len(prefix):]))
	}
	return found
}
