// SPDX-License-Identifier: Apache-2.0

package interview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/internal/target/profiling/draft"
	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Describe adds the findings to the draft, whose profile may already have parameters of volumes. Unknown values become
// comments that say how to find them.
func (f *Findings) Describe(d *draft.Draft) {
	d.Profile.Driver = f.Driver
	d.Head = append(d.Head, fmt.Sprintf("%s claims %s.", strings.TrimSpace(f.Driver+" "+f.Version), orNothing(f.Capabilities)))
	f.describeSegments(d)
	f.describeVolume(d)
	f.describeCapacity(d)
	f.describeClaims(d)
}

func orNothing(words []string) string {
	if len(words) == 0 {
		return "no capability"
	}
	return strings.Join(words, ", ")
}

func (f *Findings) describeSegments(d *draft.Draft) {
	const path = "segments"
	segments := f.segments()
	switch {
	case !f.Constrained:
		d.Note(path, "The driver does not claim VOLUME_ACCESSIBILITY_CONSTRAINTS: leave them out.")
	case len(segments) == 0 && f.Volume != nil && len(f.Volume.Accessible) > 0:
		d.Note(path, "No node endpoint reported a segment. A volume was accessible from this one; add the others, or pass --node-endpoint for a node in each.")
		d.Suggest(path, plain(f.Volume.Accessible))
	case len(segments) == 0:
		d.Note(path, "No node endpoint reported a segment: pass --node-endpoint for a node in each, or name them here, as `kubectl get csinode -o yaml` and the nodes' labels show them.")
	default:
		d.Note(path, "The node endpoints report these %d. Name them if the driver has no others: cases then know that nothing is possible elsewhere.", len(segments))
		d.Suggest(path, plain(segments))
	}
	for _, node := range f.Nodes {
		limit := "any number of volumes"
		if node.MaxVolumes > 0 {
			limit = fmt.Sprintf("%d volumes", node.MaxVolumes)
		}
		d.Note("endpoints", "Node %s is in %s, and takes %s.", node.ID, orNowhere(node.Segment), limit)
	}
	if len(f.Nodes) == 0 {
		d.Note("endpoints", "There is no node endpoint, and without one no case attaches or mounts a volume: pass --node-endpoint, or name the endpoints of a node in each segment here.")
	}
}

func orNowhere(segment model.Segment) string {
	if len(segment) == 0 {
		return "no segment"
	}
	return segment.String()
}

// segments returns the segments of the nodes, each once.
func (f *Findings) segments() model.Set {
	var all model.Set
	for _, node := range f.Nodes {
		if len(node.Segment) > 0 && !all.Contains(node.Segment) {
			all = append(all, node.Segment)
		}
	}
	return all
}

func plain(set model.Set) []map[string]string {
	var all []map[string]string
	for _, segment := range set {
		all = append(all, segment)
	}
	return all
}

func (f *Findings) describeVolume(d *draft.Draft) {
	for _, refusal := range f.Refusals {
		d.Note("volumeBytes", "%s.", strings.TrimSuffix(refusal, "."))
	}
	if f.Volume == nil {
		d.Profile.VolumeBytes = Sizes(f.Rooms)[0]
		why := "No volume could be created: set this to a size that the driver has, volumes to the parameters of a StorageClass that works, and secrets to those that it names, or pass them as --parameter and --secret; `csi-topo spec` says which of them the driver still refuses."
		if !f.Creates {
			why = "The driver does not claim CREATE_DELETE_VOLUME: no volume is created, and the size does not matter."
			d.Note("existingVolume", "The driver creates no volumes: name one that no one uses. Without it, no case uses a volume on a node.")
		}
		d.Note("volumeBytes", "%s", why)
		return
	}
	volume := f.Volume
	d.Profile.VolumeBytes = volume.Bytes
	d.Note("volumeBytes", "A volume of this size was created in %.1f s, and removed.", volume.Took.Seconds())
	f.describeLimits(d)
	f.describeRoom(d)
	d.Profile.Block = f.Block
	if volume.Form.Block {
		no := false
		d.Profile.Mount = &no
		d.Note("mount", "Only raw block volumes could be created.")
	}
	f.describeKind(d)
}

// describeRoom notes segments with room for fewer volumes than cases need.
func (f *Findings) describeRoom(d *draft.Draft) {
	for _, room := range f.Rooms {
		if fit := room.Available / f.Volume.Bytes; room.Refused == "" && room.Available > 0 && fit < dozens {
			d.Note("volumeBytes", "GetCapacity of %s reports room for %d of them, and cases that run concurrently, or fill a segment, need %d: where there is less they are skipped. Choose a smaller size if the driver has one, or give the segments more room.", orAll(room.Segment), fit, dozens)
			return
		}
	}
}

func (f *Findings) describeLimits(d *draft.Draft) {
	for _, room := range f.Rooms {
		if room.Smallest > 0 || room.Largest > 0 {
			d.Note("volumeBytes", "GetCapacity of %s says that a volume has from %d to %d bytes; 0 is no limit.", orAll(room.Segment), room.Smallest, room.Largest)
			return
		}
	}
}

// describeKind records the properties of the first kind of volume: the number of topologies that it is accessible from, if
// that is one of several segments or all of them, and its access mode, if it is unusual.
func (f *Findings) describeKind(d *draft.Draft) {
	kind := profile.Kind{}
	if len(d.Profile.Volumes) > 0 {
		kind = d.Profile.Volumes[0]
	}
	accessible, segments := f.Volume.Accessible, f.segments()
	switch {
	case f.Constrained && len(accessible) == 1 && len(segments) > 1 && segments.Contains(accessible[0]) && kind.AccessibleFrom == 0:
		kind.AccessibleFrom = 1
		d.Note("volumes", "The volume that was created is accessible from %s alone. Add the kinds that are accessible from more, such as one with accessibleFrom: 2, each with its parameters.", accessible[0])
	case f.Constrained && len(segments) > 1 && len(accessible) == len(segments) && kind.AccessibleFrom == 0:
		kind.AccessibleFrom = profile.Everywhere
		d.Note("volumes", "The volume that was created is accessible from all %d segments. If volumes are accessible from fewer where there are more, set the number instead.", len(segments))
	case !f.Constrained:
		d.Note("volumes", "The driver does not claim VOLUME_ACCESSIBILITY_CONSTRAINTS: its volumes are accessible from everywhere.")
	default:
		d.Note("volumes", "The volume that was created says that it is accessible from: %s.", orAll(accessible...))
	}
	if f.Volume.Form.Mode != kind.Mode() {
		kind.AccessMode = profile.AccessMode(f.Volume.Form.Mode)
	}
	changed := kind.AccessibleFrom != 0 || kind.AccessMode != 0
	switch {
	case len(d.Profile.Volumes) > 0:
		d.Profile.Volumes = slices.Clone(d.Profile.Volumes)
		d.Profile.Volumes[0] = kind
	case changed:
		d.Profile.Volumes = []profile.Kind{kind}
	}
}

// orAll names the segments; without any, it means all of them.
func orAll(segments ...model.Segment) string {
	var names []string
	for _, segment := range segments {
		if segment != nil {
			names = append(names, segment.String())
		}
	}
	if len(names) == 0 {
		return "all segments"
	}
	return strings.Join(names, ", ")
}

func (f *Findings) describeCapacity(d *draft.Draft) {
	const path = "capacity"
	if !f.Measured {
		d.Note(path, "The driver does not claim GET_CAPACITY: leave it out.")
		return
	}
	const most = 4 // segments worth a line each
	answers := 0
	for i, room := range f.Rooms {
		switch {
		case room.Refused != "":
			d.Note(path, "GetCapacity of %s answered %s.", orAll(room.Segment), room.Refused)
			continue
		case i < most:
			d.Note(path, "GetCapacity of %s answered %d bytes.", orAll(room.Segment), room.Available)
		}
		answers++
	}
	if answers == 0 {
		d.Note(path, "No segment's capacity was reported; give volumes the parameters that this requires, or set this to untracked.")
	}
	f.describeTaken(d)
}

// describeTaken records the effect of creating a volume on capacity, so that a vendor sees how to interpret capacity.
func (f *Findings) describeTaken(d *draft.Draft) {
	const path = "capacity"
	switch volume := f.Volume; {
	case volume == nil || !volume.Watched:
		return
	case volume.Taken == volume.Bytes:
		d.Note(path, "It was less by the %d bytes of a volume that was created: if that is true for every volume, and no one else uses the back end during a run, set exact, and more is verified.", volume.Bytes)
	case volume.Taken == 0:
		d.Note(path, "It was the same right after a volume of %d bytes was created: if it never changes with volumes, set untracked.", volume.Bytes)
	default:
		d.Note(path, "It was less by %d bytes after a volume of %d bytes was created: leave it out, which is at-least.", volume.Taken, volume.Bytes)
	}
	for _, room := range f.Rooms {
		if fitting := room.Available / f.Volume.Bytes; fitting > int64(d.Profile.Filling().Volumes) {
			d.Note("fill", "%s has room for %d volumes of volumeBytes: cases that need it full are skipped unless volumes is at least that here, or volumeBytes is larger, or exhaust takes the room away.", orAll(room.Segment), fitting)
			return
		}
	}
}

// describeClaims adds notes for fields that only the vendor knows, on where to look.
func (f *Findings) describeClaims(d *draft.Draft) {
	unasked := func(path, text string) {
		if !d.Noted(path) {
			d.Note(path, "%s", text)
		}
	}
	unasked("grownBytes", "Not asked: the driver's limits of growth, if it has any, are in its documentation.")
	unasked("otherParameters", "Not asked: take those of another StorageClass of the driver, if it has volumes that differ.")
	if f.Modifies {
		d.Note("mutableParameters", "The driver claims MODIFY_VOLUME: `kubectl get volumeattributesclass -o yaml` shows what is changed in a cluster.")
	} else {
		d.Note("mutableParameters", "The driver does not claim MODIFY_VOLUME: leave it out.")
	}
	if !f.Snapshots {
		d.Note("snapshotParameters", "The driver does not claim CREATE_DELETE_SNAPSHOT: leave it out.")
	}
	unasked("fsType", "Not asked: the driver's documentation, or csi.storage.k8s.io/fstype of a StorageClass, says which it has.")
	unasked("fakeNodes", "Not asked: set it if NodePublishVolume mounts nothing, as `findmnt TARGET-PATH` on the node shows.")
	unasked("exhaust", "Not asked: only the vendor knows of a quota or the like.")
	unasked("namePrefix", "Not asked: set it if the driver handles names that begin with csi-topo-, or csi-, differently from the names that Kubernetes gives.")
	unasked("exclusive", "Not asked: only the vendor knows who else uses the back end.")
	unasked("directories", "Not asked: if the node plugins run in the file system that csi-topo sees at the same paths, leave it out; for nodes elsewhere, name programs that reach them.")
	unasked("secrets", "Not asked: `kubectl get storageclass -o yaml` names the secrets of a StorageClass, and `kubectl get secret NAME -o yaml` shows one.")
	if f.Volume != nil {
		d.Note("timeouts", "The volume took %.1f s: if that is more than a minute, set a longer provision.", f.Volume.Took.Seconds())
	}
	unasked("waivers", "Not asked: `csi-topo spec` reports what the driver does not keep; waive what it need not.")
	unasked("cluster", "Not asked: pass --kubeconfig for a cluster where the driver is installed.")
}
