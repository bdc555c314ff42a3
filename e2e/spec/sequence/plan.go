// SPDX-License-Identifier: Apache-2.0

package sequence

import "slices"

// Move is the request that a step makes.
type Move int

// The requests of a plan. Each is made whatever went before, as far as a CO may make it.
const (
	// Create asks for a volume under the step's name, whether or not there is one of that name.
	Create Move = iota
	// Again repeats the last CreateVolume of that name as it was.
	Again
	// Delete deletes the volume, whether or not it is deleted already.
	Delete
	// Grow expands the volume.
	Grow
	// List lists all volumes.
	List
	// Get asks for the volume by its id, and Validate for its capability.
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
	// Snapshot takes a snapshot of the volume, whether or not there is one of the snapshot's name.
	Snapshot
	// DeleteSnapshot deletes the snapshot, whether or not it is deleted already.
	DeleteSnapshot
	// ListSnapshots lists the one snapshot of the step, or those of its volume, or all.
	ListSnapshots
	// Stats asks a node for the usage of the volume at a path, whether or not it is published there.
	Stats
	// Restart ends the driver's processes and starts them again.
	Restart
)

// String is the move's name.
func (m Move) String() string {
	return [...]string{
		"create", "again", "delete", "grow", "list", "get", "validate", "publish", "unpublish", "stage", "unstage", "mount",
		"unmount", "node grow", "snapshot", "delete snapshot", "list snapshots", "stats", "restart",
	}[m]
}

// Size is what the size of a volume is measured by.
type Size int

const (
	// Unit is the size of the profile's volumes, and for Grow so much more. For a copy it is the size of its source.
	Unit Size = iota
	// Double is twice that.
	Double
	// Odd is half as much again, and a byte.
	Odd
	// Fitting is all the room that there is: in the step's segment, and for Grow in the segments of the volume.
	Fitting
	// TooLarge is a unit more than that.
	TooLarge
	// Present is the size that the volume has, or was refused while a node had it, for Grow only.
	Present
)

// Limit is how limit_bytes are measured.
type Limit int

const (
	// NoLimit leaves them out.
	NoLimit Limit = iota
	// Loose is twice the size that is required.
	Loose
	// Exact is the size that is required.
	Exact
	// LimitOnly is that size, which is not required then.
	LimitOnly
)

// Use is the capability that a volume is created with.
type Use int

const (
	// Plain is what the suite's volumes have: one node writes.
	Plain Use = iota
	// Device is a raw block device that one node writes, of a driver that has file systems as well.
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

// Form is how the name of a volume looks.
type Form int

const (
	// Usual is a name as Kubernetes gives them.
	Usual Form = iota
	// Longest has as many bytes as the specification lets a name have.
	Longest
	// OtherCase is the name of another volume but for the case of a letter.
	OtherCase
)

// Step is one request of a plan, or several at the same time. Names, segments and nodes are numbers and sizes are
// relative, so that a step means something whatever steps went before it, and the same for any driver. One that refers to
// a volume or a snapshot that never existed means nothing.
type Step struct {
	Move Move
	// Name is the number of the volume's name, and Snapshot that of the snapshot's; 0 is none. With Create, the volume is
	// restored from the snapshot.
	Name, Snapshot int
	// Source is the number of the volume of which Create makes a clone; 0 is none.
	Source int
	// Form is how the name looks, the first time that it is used; with OtherCase, like that of the volume Twin.
	Form Form
	Twin int
	// X is the number of segments that the volume is accessible from.
	X     int
	Size  Size
	Limit Limit
	Use   Use
	// Requisite and Preferred are segments, in the order of the request. A copy that has any is asked for where its source
	// is; those of Preferred come besides, and are preferred.
	Requisite, Preferred []int
	// Segment is the one by whose room the size is.
	Segment int
	// Node is the one to publish to, those first from which the volume is accessible, and Path the target path there.
	Node, Path int
	ReadOnly   bool
	// Page is how many entries a page of a list has at most; 0 leaves that to the driver.
	Page int32
	// Twice sends the request twice at the same time, and Cut gives it up several times before its answer is waited for.
	Twice, Cut bool
	// Beside are other requests at the same time, of other volumes and snapshots.
	Beside []Step
}

// isCopy reports whether the step creates a volume from a source.
func (s Step) isCopy() bool {
	return s.Move == Create && (s.Snapshot > 0 || s.Source > 0)
}

// Shape is what a plan for a driver may have.
type Shape struct {
	// Segments is how many there are to ask for; 0 for a driver without topology, whose volumes are all in one place.
	Segments int
	// Kinds are the numbers of segments that its volumes may be accessible from, and Uses what they may be created for.
	Kinds []int
	Uses  []Use
	// Nodes is how many there are.
	Nodes int
	// Room says that the room in segments is known, so that sizes may be measured by it.
	Room bool
	// Grow, List, Get and Attach say that the driver has these calls, and ReadOnly that it attaches read-only too.
	Grow, List, Get, Attach, ReadOnly bool
	// Stage and NodeGrow say that its nodes stage and grow volumes.
	Stage, NodeGrow bool
	// Snapshots, Clones and ListSnapshots say what the driver has of these.
	Snapshots, Clones, ListSnapshots bool
	// Pods says that several pods of a node may have a volume, Stats that the nodes tell the usage of volumes, and Restart that
	// the driver can be restarted.
	Pods, Stats, Restart bool
}

// places are the segments, or the one place of a driver without topology.
func (s Shape) places() int {
	return max(s.Segments, 1)
}

// drawn is what the report has of a plan, from which it can be drawn again.
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
