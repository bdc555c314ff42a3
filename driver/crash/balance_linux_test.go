// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// imbalances returns the inconsistencies within a state: capacity that does not add up, entries listed but not on disk,
// files on disk but not listed, and mounts without a record on the node.
func (s state) imbalances() []string {
	var found []string
	for _, zone := range zones() {
		if want := zoneBytes - s.taken(zone); s.available[zone] != want {
			found = append(found, fmt.Sprintf("zone %s has %d bytes and should have %d, by the volumes and snapshots that are listed", zone, s.available[zone], want))
		}
	}
	return slices.Concat(found, s.unowned(), s.missing(), s.unremembered())
}

// promised returns the zones that offer more capacity than is left, which is wrong even while a call is unfinished. Less
// is allowed.
func (s state) promised() []string {
	var found []string
	for _, zone := range zones() {
		if most := zoneBytes - s.taken(zone); s.available[zone] > most {
			found = append(found, fmt.Sprintf("zone %s promises %d bytes and has %d, by the volumes and snapshots that are listed", zone, s.available[zone], most))
		}
	}
	return found
}

// unremembered returns the mounts without a usage at their path or, for a device, at its directory.
func (s state) unremembered() []string {
	var found []string
	for _, m := range s.mounts {
		if !slices.ContainsFunc(s.usages, func(u located) bool { return u.path == m.path || u.path == filepath.Dir(m.path) }) {
			found = append(found, "the node does not remember "+m.line)
		}
	}
	return found
}

// taken returns the bytes that listed volumes and snapshots take of a zone.
func (s state) taken(zone string) int64 {
	var bytes int64
	count := func(size int64, accessible []*csi.Topology) {
		for _, topology := range accessible {
			if segmentOf(zone).Matches(topology.GetSegments()) {
				bytes += size
			}
		}
	}
	for _, v := range s.volumes {
		count(v.GetVolume().GetCapacityBytes(), v.GetVolume().GetAccessibleTopology())
	}
	for _, snapshot := range s.snapshots {
		count(snapshot.GetSizeBytes(), snapshot.GetAccessibleTopology())
	}
	return bytes
}

// owned is a volume or a snapshot.
type owned struct {
	id       string
	snapshot bool
}

// listed returns everything in the lists, with the size of each.
func (s state) listed() map[owned]int64 {
	all := map[owned]int64{}
	for _, v := range s.volumes {
		all[owned{id: v.GetVolume().GetVolumeId()}] = v.GetVolume().GetCapacityBytes()
	}
	for _, snapshot := range s.snapshots {
		all[owned{id: snapshot.GetSnapshotId(), snapshot: true}] = snapshot.GetSizeBytes()
	}
	return all
}

// unowned returns the files that belong to no listed volume or snapshot.
func (s state) unowned() []string {
	var found []string
	listed := s.listed()
	for _, f := range s.files {
		id, snapshot, err := f.owner()
		if err != nil {
			found = append(found, fmt.Sprintf("nobody owns %s: %v", f, err))
			continue
		}
		if _, is := listed[owned{id, snapshot}]; !is {
			found = append(found, fmt.Sprintf("nobody owns %s: its owner is not listed", f))
		}
	}
	return found
}

// missing returns the listed volumes and snapshots that lack some of their bytes on
// disk.
func (s state) missing() []string {
	present := map[owned]file{}
	for _, f := range s.files {
		// The first file of an owner is the image itself, or the directory.
		id, snapshot, err := f.owner()
		if _, is := present[owned{id, snapshot}]; err == nil && !is {
			present[owned{id, snapshot}] = f
		}
	}
	var found []string
	for what, bytes := range s.listed() {
		f, is := present[what]
		kind, _ := volume.KindOf(what.id)
		switch {
		case !is:
			found = append(found, fmt.Sprintf("%s is listed and not on disk", what.id))
		case kind == volume.Image && f.info.Size() != bytes:
			found = append(found, fmt.Sprintf("%s is listed with %d bytes, and on disk is %s", what.id, bytes, f))
		}
	}
	return found
}
