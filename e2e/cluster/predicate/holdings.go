// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"
)

// Holdings is the set of things that cases may leave behind, at one moment.
type Holdings struct {
	// Volumes are the ids of the volumes that the driver lists.
	Volumes []string
	// PersistentVolumes and Attachments are names of the driver's objects in the cluster.
	PersistentVolumes, Attachments []string
	// Room maps the canonical name of each segment to its free bytes.
	Room map[string]int64
}

// Left holds everything that did not exist before, by its possible cause.
type Left struct {
	// Listed are the ids of deleted volumes that the driver lists.
	Listed []string
	// Others is about objects, and volumes in the driver that are not known to be deleted; nil if there are none.
	Others error
	// Room is about room that is still used; nil if all is free again.
	Room error
}

// LeftOf sorts everything that is in after and not in before; deleted are the ids of deleted volumes.
func LeftOf(before, after Holdings, deleted []string) Left {
	var left Left
	others := after
	others.Room, others.Volumes = before.Room, nil
	for _, id := range after.Volumes {
		switch {
		case slices.Contains(before.Volumes, id):
		case slices.Contains(deleted, id):
			left.Listed = append(left.Listed, id)
		default:
			others.Volumes = append(others.Volumes, id)
		}
	}
	left.Others = NothingLeft(before, others)
	left.Room = NothingLeft(Holdings{Room: before.Room}, Holdings{Room: after.Room})
	return left
}

// NothingLeft requires no volume, object or used room that was not there before.
func NothingLeft(before, after Holdings) error {
	var left []string
	for _, kind := range []struct {
		name          string
		before, after []string
	}{
		{"volume in the driver", before.Volumes, after.Volumes},
		{"PersistentVolume", before.PersistentVolumes, after.PersistentVolumes},
		{"VolumeAttachment", before.Attachments, after.Attachments},
	} {
		for _, name := range kind.after {
			if !slices.Contains(kind.before, name) {
				left = append(left, kind.name+" "+name)
			}
		}
	}
	for segment, room := range before.Room {
		if found := after.Room[segment]; found < room {
			left = append(left, fmt.Sprintf("%d bytes taken in %s", room-found, segment))
		}
	}
	if len(left) > 0 {
		slices.Sort(left)
		return mismatch("what the case left behind", "nothing", strings.Join(left, "; "))
	}
	return nil
}
