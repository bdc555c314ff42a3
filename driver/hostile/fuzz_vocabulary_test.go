// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// vocabulary holds the words of a world that a fuzzer needs for requests that are not refused at once.
type vocabulary struct {
	byField map[string][]string
	// all are the words of every field, and the hostile values.
	all []string
}

// own returns the words of a field, or of a key in a map, if it has any.
func (v *vocabulary) own(field string) []string {
	return v.byField[strings.ToLower(field)]
}

// vocabulary returns the names and values that exist in the world.
func (w *world) vocabulary() *vocabulary {
	volumes := []string{idleID, publishedID, mountedID, imageID, dirID, spreadID, goldID, unknownImage}
	paths := []string{w.idleStaging(), w.publishedStaging(), w.publishedTarget(), w.mountedStaging(), w.mountedTarget(), w.tree.path("node/pods/new")}
	v := &vocabulary{byField: map[string][]string{
		"volume_id": volumes, "source_volume_id": volumes, "snapshot_id": {snapshotID, memberID, unknownImage}, "base_snapshot_id": {snapshotID, memberID, unknownImage}, "target_snapshot_id": {memberID, snapshotID}, "snapshot_ids": {memberID, snapshotID}, "group_snapshot_id": {groupID, unknownImage}, "source_volume_ids": volumes, "starting_token": volumes,
		"node_id": {nodeID, "node-2", "node-3", "node-9"},
		"name":    {"new", "another", idleName, publishedName, "image", "dir", "spread", goldClass, snapshotName, groupName},

		"staging_target_path": paths, "target_path": paths, "volume_path": paths, "volume_publish_path": paths,

		"fs_type": {"", "xfs", "ext4", "btrfs"}, "mount_flags": {"ro", "noatime", "rw,ro"}, "volume_mount_group": {"0"},

		"parameters[key]": {"zones", "kind", "class", "csi.storage.k8s.io/pv/name"},
		"zones":           {"1", "2", "3", "4", "0", "-1", "9223372036854775807"},
		"kind":            {"memory", "image", "dir"},
		"class":           {"", goldClass, "lead"},

		"mutable_parameters[key]": {"allocation", "csi.storage.k8s.io/pvc/name"},
		"allocation":              {"thin", "thick", "fat"},

		"segments[key]":                     {topology.RegionKey, topology.ZoneKey, strings.ToUpper(topology.ZoneKey), topology.NodeKey},
		strings.ToLower(topology.RegionKey): {"R1", "R2"},
		strings.ToLower(topology.ZoneKey):   {"Z2", "Z3", "Z4", "Z9"},

		"publish_context[key]": {"readonly", "devicePath"}, "readonly": {"true", "false"},
		"volume_context[key]":          {"csi.storage.k8s.io/ephemeral", "storage.kubernetes.io/csiProvisionerIdentity"},
		"csi.storage.k8s.io/ephemeral": {"true", "false"},
	}}
	for _, words := range v.byField {
		v.all = append(v.all, words...)
	}
	for _, hostile := range values(w.tree) {
		v.all = append(v.all, hostile.text)
	}
	slices.Sort(v.all) // inputs depend on the order, which varies in a map
	return v
}
