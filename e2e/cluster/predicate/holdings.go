// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"
)

// Holdings is all that cases may leave behind, at one moment.
type Holdings struct {
	// Volumes are the ids of the volumes that the driver lists.
	Volumes []string
	// PersistentVolumes and Attachments are names of the driver's objects in the cluster.
	PersistentVolumes, Attachments []string
	// Room is each segment's free bytes by its canonical name.
	Room map[string]int64
}

// NothingLeft wants no volume, no object and no used room that was not there before.
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
