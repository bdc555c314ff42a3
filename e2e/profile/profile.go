// Package profile is what a vendor says of a driver that the driver's own answers do not tell, read from one strict
// YAML file.
package profile

// Profile describes one driver.
type Profile struct {
	// Driver is the driver's CSI name.
	Driver string `yaml:"driver"`
	// Endpoints are where the driver's services are; the command line may name them instead.
	Endpoints Endpoints `yaml:"endpoints"`
	// Segments are topology segments that the driver has, each with all its keys. Those that the node endpoints report
	// need not be named.
	Segments []map[string]string `yaml:"segments"`
	// VolumeBytes is the size of the volumes that cases make, and GrownBytes what they grow to; twice as much when 0.
	VolumeBytes int64 `yaml:"volumeBytes"`
	GrownBytes  int64 `yaml:"grownBytes"`
	// Volumes are the kinds of volume that cases may make, at most one for each number of topologies.
	Volumes []Kind `yaml:"volumes"`
	// MutableParameters are what ControllerModifyVolume can change of a volume, and to what; without them it is not asked.
	MutableParameters map[string]string `yaml:"mutableParameters"`
	// SnapshotParameters are the VolumeSnapshotClass parameters of the snapshots that cases make.
	SnapshotParameters map[string]string `yaml:"snapshotParameters"`
	// FsType is the file system of mounted volumes; the driver's default when empty.
	FsType string `yaml:"fsType"`
	// Block says that the driver has raw block volumes.
	Block bool `yaml:"block"`
	// Capacity is how GetCapacity is to be read.
	Capacity Capacity `yaml:"capacity"`
	// Exhaust takes the room of a segment away by other means than volumes.
	Exhaust Exhaust `yaml:"exhaust"`
	// Directories are where nodes get the directories of NodeStageVolume and NodePublishVolume.
	Directories Directories `yaml:"directories"`
	// Secrets are sent with each call that has a field for them.
	Secrets Secrets `yaml:"secrets"`
	// Waivers are the requirements that the vendor says the driver need not keep.
	Waivers []Waiver `yaml:"waivers"`
}

// Endpoints are gRPC targets such as unix:///csi/csi.sock.
type Endpoints struct {
	// Controller serves the Identity and Controller services.
	Controller string `yaml:"controller"`
	// Nodes serve the Identity and Node services, one for each node.
	Nodes []string `yaml:"nodes"`
}

// Kind is a kind of volume.
type Kind struct {
	// AccessibleFrom is the number of topologies that such a volume is accessible from: the specification's x, which is
	// not a field of any request.
	AccessibleFrom int `yaml:"accessibleFrom"`
	// Parameters are the StorageClass parameters that ask for such a volume.
	Parameters map[string]string `yaml:"parameters"`
}

// Capacity is how GetCapacity is to be read.
type Capacity string

const (
	// Exact says that each volume takes the bytes that it has, a copy of another one too, and that nobody else uses capacity
	// during a run.
	Exact Capacity = "exact"
	// AtLeast says that what is reported can be had, and that it may change for other reasons.
	AtLeast Capacity = "at-least"
	// Untracked says that nothing follows from what is reported.
	Untracked Capacity = "untracked"
)

// Exact reports whether capacity can be held to the byte, which is what nothing said means.
func (c Capacity) Exact() bool { return c == Exact || c == "" }

// Untracked reports whether nothing follows from capacity.
func (c Capacity) Untracked() bool { return c == Untracked }

// Exhaust are two programs with their arguments. Each gets the segment as JSON in the variable CSI_TOPO_SEGMENT, and
// ends with status 0 when it has done its work.
type Exhaust struct {
	// Command takes the room of the segment away, and GiveBack gives it back.
	Command  []string `yaml:"command"`
	GiveBack []string `yaml:"giveBack"`
}

// Directories are where the directories are that a CO gives to a node's calls. Without commands they are made in this
// process' file system. A command gets the path as its last argument and the node's id in the variable CSI_TOPO_NODE,
// and ends with status 0 when it has done its work.
type Directories struct {
	// Root is the absolute path below which they are made.
	Root string `yaml:"root"`
	// Make makes a directory with its parents, Remove removes one that Make made, and Exists prints "true" or "false".
	Make   []string `yaml:"make"`
	Remove []string `yaml:"remove"`
	Exists []string `yaml:"exists"`
}

// Secrets are sent with the calls of their names.
type Secrets struct {
	CreateVolume              map[string]string `yaml:"createVolume"`
	DeleteVolume              map[string]string `yaml:"deleteVolume"`
	ControllerPublishVolume   map[string]string `yaml:"controllerPublishVolume"`
	ControllerUnpublishVolume map[string]string `yaml:"controllerUnpublishVolume"`
	ValidateVolume            map[string]string `yaml:"validateVolumeCapabilities"`
	ControllerExpandVolume    map[string]string `yaml:"controllerExpandVolume"`
	ControllerModifyVolume    map[string]string `yaml:"controllerModifyVolume"`
	CreateSnapshot            map[string]string `yaml:"createSnapshot"`
	DeleteSnapshot            map[string]string `yaml:"deleteSnapshot"`
	ListSnapshots             map[string]string `yaml:"listSnapshots"`
	NodeStageVolume           map[string]string `yaml:"nodeStageVolume"`
	NodePublishVolume         map[string]string `yaml:"nodePublishVolume"`
	NodeExpandVolume          map[string]string `yaml:"nodeExpandVolume"`
}

// Waiver takes one requirement back, for a reason that the report shows.
type Waiver struct {
	// Requirement is an id of the register, such as PF-05.
	Requirement string `yaml:"requirement"`
	// Reason is the vendor's sentence.
	Reason string `yaml:"reason"`
}

// Parameters are those that ask for a volume that is accessible from x topologies; ok is false when the driver has no
// such volumes.
func (p Profile) Parameters(x int) (parameters map[string]string, ok bool) {
	for _, kind := range p.Volumes {
		if kind.AccessibleFrom == x {
			return kind.Parameters, true
		}
	}
	return nil, false
}

// Grown is what volumes grow to, in bytes.
func (p Profile) Grown() int64 {
	if p.GrownBytes == 0 {
		return 2 * p.VolumeBytes
	}
	return p.GrownBytes
}
