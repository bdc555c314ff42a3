// SPDX-License-Identifier: Apache-2.0

package sequence

import "slices"

// Move is the request that a step makes.
type Move int

// The requests of a plan. Each is made whatever the earlier steps were, as far as a CO may make it.
const (
	// Create creates a volume under the step's name, whether or not a volume of that name exists.
	Create Move = iota
	// Again repeats the last CreateVolume of that name unchanged.
	Again
	// Delete deletes the volume, whether or not it is deleted already.
	Delete
	// Grow expands the volume.
	Grow
	// List lists all volumes.
	List
	// Get reads the volume by its id, and Validate validates its capability.
	Get
	Validate
	// Publish publishes the volume to a node, and Unpublish unpublishes it from one, whether or not it is published there.
	Publish
	Unpublish
	// Stage stages the volume on a node to which it is published, and Unstage takes it away from there.
	Stage
	Unstage
	// Mount publishes the volume at a path of a node that has staged it, and Unmount takes it away from there.
	Mount
	Unmount
	// NodeGrow expands the volume on a node, to the size that it has.
	NodeGrow
	// Snapshot takes a snapshot of the volume, whether or not a snapshot of that name exists.
	Snapshot
	// DeleteSnapshot deletes the snapshot, whether or not it is deleted already.
	DeleteSnapshot
	// ListSnapshots lists the one snapshot of the step, or the snapshots of its volume, or all.
	ListSnapshots
	// GetSnapshot reads the snapshot by its id.
	GetSnapshot
	// Stats asks a node for the usage of the volume at a path, whether or not it is published there.
	Stats
	// Restart ends the driver's processes and starts them again.
	Restart
)

// String returns the move's name.
func (m Move) String() string {
	return [...]string{
		"create", "again", "delete", "grow", "list", "get", "validate", "publish", "unpublish", "stage", "unstage", "mount",
		"unmount", "node grow", "snapshot", "delete snapshot", "list snapshots", "get snapshot", "stats", "restart",
	}[m]
}

// Size says how the size of a volume is measured.
type Size int

const (
	// Unit is the size of the profile's volumes, and for Grow an increase by that size. For a copy it is the size of
	// its source.
	Unit Size = iota
	// Double is twice that.
	Double
	// Odd is one and a half times the Unit, and a byte.
	Odd
	// Fitting is all the available room: in the step's segment, and for Grow in the segments of the volume.
	Fitting
	// TooLarge is a unit more than that.
	TooLarge
	// Present is the size that the volume has, or was refused while a node had it, for Grow only.
	Present
	// Unsized leaves capacity_range out, for copies only.
	Unsized
)

// Limit says how limit_bytes is measured.
type Limit int

const (
	// NoLimit leaves limit_bytes out.
	NoLimit Limit = iota
	// Loose is twice the size that is required.
	Loose
	// Exact is the size that is required.
	Exact
	// LimitOnly sets limit_bytes to that size, and leaves required_bytes out.
	LimitOnly
)

// Use is the capability that a volume is created with.
type Use int

const (
	// Plain is the capability of the suite's volumes: one node writes.
	Plain Use = iota
	// Device is a raw block device that one node writes, for a driver that has file systems as well.
	Device
	// Shared is a volume that several nodes write.
	Shared
	// SharedDevice is a raw block device that several nodes write.
	SharedDevice
	// Readers is a volume that several nodes read.
	Readers
	// Pods is a volume that several pods of one node write.
	Pods
)

// Form is the form of a volume's name.
type Form int

const (
	// Usual is a name like the names that Kubernetes gives.
	Usual Form = iota
	// Longest has as many bytes as the specification allows for a name.
	Longest
	// OtherCase is the name of another volume, with one letter in the other case.
	OtherCase
)

// Step is one request of a plan, or several at the same time. Names, segments and nodes are numbers and sizes are
// relative, so that a step means the same whatever the earlier steps were, and for any driver. A step that refers to a
// volume or a snapshot that never existed is left out.
type Step struct {
	Move Move
	// Name is the number of the volume's name, and Snapshot the number of the snapshot's name; 0 is none. With Create,
	// the volume is restored from the snapshot.
	Name, Snapshot int
	// Source is the number of the volume that Create clones; 0 is none.
	Source int
	// Form is the form of the name when it is first used; with OtherCase, it is like the name of the volume Twin.
	Form Form
	Twin int
	// X is the number of segments that the volume is accessible from.
	X     int
	Size  Size
	Limit Limit
	Use   Use
	// Requisite and Preferred are segments, in the order of the request. A copy with any of them is requested where its
	// source is; the ones in Preferred are added, and preferred.
	Requisite, Preferred []int
	// Segment is the segment whose room determines the size.
	Segment int
	// Node is the node to publish to, beginning with the nodes from which the volume is accessible, and Path the target
	// path there.
	Node, Path int
	ReadOnly   bool
	// Page is the maximum number of entries on a page of a list; 0 leaves that to the driver.
	Page int32
	// Twice sends the request twice at the same time, and Cut gives it up several times before it waits for the answer.
	Twice, Cut bool
	// Look reports that the step only checks the state that the steps before left: a publication is left out unless it
	// repeats an earlier one, and all looks are left out once they take too much time.
	Look bool
	// Beside holds concurrent requests for other volumes and snapshots.
	Beside []Step
}

// isCopy reports whether the step creates a volume from a source.
func (s Step) isCopy() bool {
	return s.Move == Create && (s.Snapshot > 0 || s.Source > 0)
}

// Shape describes the possible content of a plan for a driver.
type Shape struct {
	// Segments is the number of segments; 0 for a driver without topology, whose volumes are all in one place.
	Segments int
	// Kinds holds the numbers of segments that its volumes may be accessible from, and Uses holds the uses that they may be
	// created for.
	Kinds []int
	Uses  []Use
	// Nodes is the number of nodes.
	Nodes int
	// Room reports that the room in segments is known, so that sizes may be measured by it.
	Room bool
	// Grow, List, Get and Attach report that the driver has these calls, and ReadOnly that it also attaches read-only.
	Grow, List, Get, Attach, ReadOnly bool
	// Stage and NodeGrow report that its nodes stage and grow volumes.
	Stage, NodeGrow bool
	// Snapshots, Clones, ListSnapshots and GetSnapshot report which of these the driver has.
	Snapshots, Clones, ListSnapshots, GetSnapshot bool
	// Pods reports that several pods of a node may have a volume, Stats that the nodes report the usage of volumes, Data
	// that the suite can write to volumes and read them, and Restart that the driver can be restarted.
	Pods, Stats, Data, Restart bool
}

// usesDevices reports whether volumes are created as block devices besides file systems.
func (s Shape) usesDevices() bool { return slices.Contains(s.Uses, Device) }

// places returns the segments, or the one place of a driver without topology.
func (s Shape) places() int {
	return max(s.Segments, 1)
}

// drawn describes a plan in the report, so that it can be drawn again.
type drawn struct {
	Seed  int64          `json:"seed"`
	Shape Shape          `json:"shape"`
	Steps map[string]int `json:"steps"`
}

// summary counts the plan's requests by their moves.
func summary(seed int64, plan []Step, shape Shape) drawn {
	d := drawn{Seed: seed, Shape: shape, Steps: map[string]int{}}
	for _, step := range plan {
		if step.Twice || len(step.Beside) > 0 {
			d.Steps["at the same time"]++
		}
		for _, request := range slices.Concat([]Step{step}, step.Beside) {
			d.Steps[request.Move.String()]++
		}
	}
	return d
}
