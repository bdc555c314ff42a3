// SPDX-License-Identifier: Apache-2.0

// Package profile is what a vendor says of a driver that the driver's own answers do not tell, read from one strict
// YAML file.
package profile

import "cmp"

// Profile describes one driver.
type Profile struct {
	// Driver is the driver's CSI name, as GetPluginInfo returns it.
	Driver string `yaml:"driver" jsonschema:"required"`
	// Endpoints are where the driver's services listen. Flags of the command line win over them.
	//
	//	endpoints:
	//	  controller: unix:///csi/controller.sock
	//	  nodes: [unix:///csi/node-a.sock, unix:///csi/node-b.sock]
	Endpoints Endpoints `yaml:"endpoints"`
	// ControllerPerNode says that each node has a controller of its own, for the volumes of that node alone, as csi-provisioner
	// has it with --node-deployment. Then each of the node endpoints serves the Controller service too, and is asked for volumes
	// in its own segment.
	//
	//	controllerPerNode: true
	ControllerPerNode bool `yaml:"controllerPerNode"`
	// Segments are topology segments that the driver has, each with all its keys. Those that the node endpoints report
	// need not be named. A profile that names some says that there are no others than these and those.
	//
	//	segments:
	//	- {topology.example.com/region: r1, topology.example.com/zone: a}
	//	- {topology.example.com/region: r1, topology.example.com/zone: b}
	Segments []map[string]string `yaml:"segments"`
	// VolumeBytes is the size in bytes of the volumes that cases create. It has to be a size that the driver can make,
	// and small enough for a segment to have room for dozens of such volumes.
	VolumeBytes int64 `yaml:"volumeBytes" jsonschema:"required,minimum=1"`
	// GrownBytes is the size in bytes that volumes grow to, which is more than volumeBytes; twice as much when 0.
	//
	//	grownBytes: 21474836480
	GrownBytes int64 `yaml:"grownBytes" jsonschema:"minimum=0"`
	// Volumes are the kinds of volume that cases may create, at most one for each number of topologies. Without any,
	// cases create volumes without parameters, and take the number of their topologies from the answers.
	// `kubectl get storageclass -o yaml` shows the parameters that volumes have in a cluster.
	//
	//	volumes:
	//	- accessibleFrom: 1
	//	  parameters: {type: ssd}
	//	- accessibleFrom: 2
	//	  parameters: {type: ssd, replication: regional}
	Volumes []Kind `yaml:"volumes"`
	// ExistingVolume is a volume that exists already, for a driver that does not claim CREATE_DELETE_VOLUME, such as one of
	// Identity and Node alone: cases that use a volume on a node use this one, one after another. Nobody else may use it
	// meanwhile: files are written to it, or blocks where it is raw, and it is attached and detached. It is never deleted.
	// `kubectl get pv -o yaml` shows those of a cluster.
	//
	//	existingVolume:
	//	  volumeHandle: nfs.example.com/share
	//	  volumeAttributes: {server: nfs.example.com, share: /share}
	//	  accessibleTopology: [{topology.example.com/zone: a}]
	ExistingVolume *ExistingVolume `yaml:"existingVolume"`
	// OtherParameters are StorageClass parameters with which a volume is incompatible with one of the first kind: to
	// create a volume with them and a name that is taken must be refused.
	//
	//	otherParameters: {type: hdd}
	OtherParameters map[string]string `yaml:"otherParameters"`
	// MutableParameters are what ControllerModifyVolume can change of a volume, and to what, as in a
	// VolumeAttributesClass. Without them it is not called.
	//
	//	mutableParameters: {iops: "4000"}
	MutableParameters map[string]string `yaml:"mutableParameters"`
	// SnapshotParameters are the VolumeSnapshotClass parameters of the snapshots that cases create.
	// `kubectl get volumesnapshotclass -o yaml` shows those of a cluster.
	//
	//	snapshotParameters: {retention: short}
	SnapshotParameters map[string]string `yaml:"snapshotParameters"`
	// GroupSnapshotParameters are the VolumeGroupSnapshotClass parameters of the group snapshots that cases create.
	//
	//	groupSnapshotParameters: {retention: short}
	GroupSnapshotParameters map[string]string `yaml:"groupSnapshotParameters"`
	// FsType is the file system of mounted volumes; the driver's default when empty.
	//
	//	fsType: ext4
	FsType string `yaml:"fsType"`
	// Mount says whether the driver has volumes with file systems: it has, unless this is false. One without has block: true.
	//
	//	mount: false
	Mount *bool `yaml:"mount"`
	// Block says that the driver has raw block volumes.
	//
	//	block: true
	Block bool `yaml:"block"`
	// FakeNodes says that the nodes mount nothing, as those of a fake do: cases that look at mounts and at data are skipped.
	//
	//	fakeNodes: true
	FakeNodes bool `yaml:"fakeNodes"`
	// Capacity is how GetCapacity is to be read. With exact, each volume takes the bytes that it has, a copy of another one
	// too, and takes them of the segments that it is accessible from and of no other; and nobody else uses capacity during a
	// run. With at-least, which is the default, volumes can have what is reported, and it may change for other reasons. With
	// untracked, nothing follows from what is reported.
	//
	//	capacity: exact
	Capacity Capacity `yaml:"capacity" jsonschema:"enum=exact,enum=at-least,enum=untracked"`
	// Exhaust takes the room of a segment away by other means than volumes, such as a quota. Without it, cases that need a
	// full segment fill it with volumes, within the limits of fill.
	//
	//	exhaust:
	//	  command: [./quota.sh, lower]
	//	  giveBack: [./quota.sh, restore]
	Exhaust Exhaust `yaml:"exhaust"`
	// Exclusive says that nobody else creates or deletes volumes and snapshots on the back end during a run, so that one
	// which nobody was told of is an orphan. Then a run also removes what the driver answered to a request without a name,
	// unless it was listed before; without it, the run names that at its end and does not touch it.
	//
	//	exclusive: true
	Exclusive bool `yaml:"exclusive"`
	// NamePrefix is how the names of volumes and snapshots begin that a run creates; the name of the run follows. A driver may
	// treat names of some form otherwise than those that Kubernetes gives, which begin with pvc- and snapshot-. It has lower-case
	// letters, digits and hyphens, at most 11, and begins with a letter; csi-topo- when empty.
	//
	//	namePrefix: pvc-
	NamePrefix string `yaml:"namePrefix" jsonschema:"maxLength=11"`
	// Fill is how much cases may take of a segment by volumes when they need it full. The room is given back after each.
	//
	//	fill: {volumes: 20, bytes: 1099511627776}
	Fill Fill `yaml:"fill"`
	// Directories are where nodes get the directories of NodeStageVolume and NodePublishVolume. Without commands they are
	// created in the file system of the machine that csi-topo runs on.
	//
	//	directories:
	//	  root: /var/lib/kubelet/csi-topo
	//	  make: [./on-node.sh, mkdir, -p]
	//	  remove: [./on-node.sh, rmdir]
	//	  exists: [./on-node.sh, exists]
	Directories Directories `yaml:"directories"`
	// Restart ends the driver's processes at once, as SIGKILL does, and starts them again: a program with its arguments,
	// which ends with status 0 when the driver was started. Then the driver has timeouts.restart to answer at all of its
	// endpoints. All connections to the driver must end with the restart; otherwise the case ends in an error. Without it,
	// no case asks whether what the driver answered outlives its processes. It is also how a run goes on when the driver's
	// process ends during a call and nothing else starts it again.
	//
	//	restart: [./restart.sh]
	Restart []string `yaml:"restart"`
	// Secrets are sent with each call that has a field for them, by the name of the call. A StorageClass names those of a
	// cluster in its parameters that begin with csi.storage.k8s.io/ and end with secret-name. Where a driver repeats one of
	// their values, the report has ***stripped*** instead; values of less than 4 bytes, and those that the profile says
	// elsewhere, are shown.
	//
	//	secrets:
	//	  createVolume: {token: example}
	//	  nodeStageVolume: {token: example}
	Secrets Secrets `yaml:"secrets"`
	// Timeouts limit the waits of a run. Flags of the command line win over them.
	//
	//	timeouts: {provision: 10m, settle: 1m}
	Timeouts Timeouts `yaml:"timeouts"`
	// Cluster is what the cluster tier has to know; without it, only the spec tier can be run.
	//
	//	cluster:
	//	  install: {kustomization: deploy}
	//	  topology: {zone: topology.example.com/zone}
	Cluster *Cluster `yaml:"cluster"`
	// Waivers are expected failures: requirements that the driver is known not to keep, and cases that it is known not to pass.
	// The cases run all the same. What they find by a waived requirement, or what a waived case finds, is set aside: a case
	// that finds nothing else is skipped, as waived, with the reason. Whatever else it finds counts. A waiver that sets nothing
	// aside any more is reported. A case that must not even run is left out by `--skip`.
	//
	//	waivers:
	//	- {requirement: PF-05, reason: The storage cannot move volumes between regions.}
	Waivers []Waiver `yaml:"waivers"`
}

// Endpoints are gRPC targets, such as unix:///csi/csi.sock, or paths of sockets.
type Endpoints struct {
	// Controller serves the Identity and Controller services. It is left out for a driver of Identity and Node alone, and where
	// controllerPerNode says that the nodes serve the Controller service.
	Controller string `yaml:"controller"`
	// Nodes serve the Identity and Node services, one for each node. It takes one in each segment to verify topology.
	Nodes []string `yaml:"nodes"`
}

// Kind is a kind of volume.
type Kind struct {
	// AccessibleFrom is the number of topologies that such a volume is accessible from, or everywhere: the specification's
	// x, which is not a field of any request. Without it, the answer of CreateVolume tells.
	AccessibleFrom AccessibleFrom `yaml:"accessibleFrom"`
	// Parameters are the StorageClass parameters that ask for such a volume.
	Parameters map[string]string `yaml:"parameters"`
	// Segments are those in which such volumes exist, where they do not exist in all.
	Segments []map[string]string `yaml:"segments"`
	// Sharing is the key of which all topologies of such a volume have one value, where not any of them go together:
	// topology.example.com/region for disks whose copies are in two zones of one region.
	Sharing string `yaml:"sharing"`
	// AccessMode is that of such volumes in cases which are about something else, such as MULTI_NODE_MULTI_WRITER for a
	// driver whose volumes have no other; SINGLE_NODE_WRITER when empty.
	AccessMode AccessMode `yaml:"accessMode"`
}

// AccessibleFrom is a number of topologies, or the word everywhere. It is 0 where the profile does not say how many there
// are: the answer of CreateVolume tells.
type AccessibleFrom int

// Everywhere says that a volume is accessible from every node; its answer need not list topologies.
const Everywhere AccessibleFrom = -1

// Capacity is how GetCapacity is to be read.
type Capacity string

const (
	// Exact says that each volume takes the bytes that it has, a copy of another one too, and takes them of the segments that
	// it is accessible from and of no other; and that nobody else uses capacity during a run.
	Exact Capacity = "exact"
	// AtLeast says that volumes can have what is reported, and that it may change for other reasons.
	AtLeast Capacity = "at-least"
	// Untracked says that nothing follows from what is reported.
	Untracked Capacity = "untracked"
)

// Exact reports whether capacity can be held to the byte. Where nothing is said it is at-least.
func (c Capacity) Exact() bool { return c == Exact }

// Untracked reports whether nothing follows from capacity.
func (c Capacity) Untracked() bool { return c == Untracked }

// Exhaust are two programs with their arguments. Each gets the segment as JSON in the variable CSI_TOPO_SEGMENT, and
// ends with status 0 when it has done its work; processes that it leaves are ended.
type Exhaust struct {
	// Command takes the room of the segment away.
	Command []string `yaml:"command"`
	// GiveBack gives the room of the segment back.
	GiveBack []string `yaml:"giveBack"`
}

// Fill is how much may be taken of a segment by volumes to make it full. A case that needs more is skipped.
type Fill struct {
	// Volumes is the largest number of volumes; 100 when 0. A node is given as many as its max_volumes_per_node, if that is no
	// more; 64 when 0.
	Volumes int `yaml:"volumes" jsonschema:"minimum=0"`
	// Bytes is the largest available capacity of a segment that is filled. When 0, it is 1000 times volumeBytes, or what
	// there is where capacity is exact, as nobody else uses it then.
	Bytes int64 `yaml:"bytes" jsonschema:"minimum=0"`
}

// Directories are where the directories are that a CO gives to a node's calls. Without commands they are made in this
// process' file system. A command gets the path as its last argument and the node's id in the variable CSI_TOPO_NODE,
// and ends with status 0 when it has done its work; processes that it leaves are ended.
type Directories struct {
	// Root is the absolute path below which they are made.
	Root string `yaml:"root"`
	// Make makes a directory with its parents.
	Make []string `yaml:"make"`
	// Remove removes a directory that make made.
	Remove []string `yaml:"remove"`
	// Exists prints "true" or "false".
	Exists []string `yaml:"exists"`
	// Write writes its standard input into a file, which it creates, or to a device, from byte CSI_TOPO_OFFSET on. Without
	// write and read, no case writes to a volume.
	//
	//	write: [sh, -c, 'dd of="$0" seek="$CSI_TOPO_OFFSET" oflag=seek_bytes conv=notrunc,fsync']
	Write []string `yaml:"write"`
	// Read prints what is in a file or on a device, or as much as there is of it: CSI_TOPO_BYTES bytes from byte
	// CSI_TOPO_OFFSET on.
	//
	//	read: [sh, -c, 'dd if="$0" skip="$CSI_TOPO_OFFSET" count="$CSI_TOPO_BYTES" iflag=skip_bytes,count_bytes']
	Read []string `yaml:"read"`
}

// Waiver sets aside what contradicts one requirement, or what one case finds, for a reason that the report shows.
type Waiver struct {
	// Requirement is an id of the register, such as PF-05. `csi-topo requirements` prints all.
	Requirement string `yaml:"requirement" jsonschema:"oneof_required=requirement"`
	// Case is the id of one case, such as T-EQ-1. `csi-topo list` prints all.
	Case string `yaml:"case" jsonschema:"oneof_required=case"`
	// Reason is the vendor's sentence.
	Reason string `yaml:"reason" jsonschema:"required"`
}

// HasMount reports whether the driver has volumes with file systems.
func (p Profile) HasMount() bool { return p.Mount == nil || *p.Mount }

// Plain is the kind that cases make which are about something else: volumes of one topology; where the driver has none,
// those of which the profile does not say the number, or those that are accessible from everywhere.
func (p Profile) Plain() Kind {
	for _, wanted := range []AccessibleFrom{1, 0, Everywhere} {
		for _, kind := range p.Volumes {
			if kind.AccessibleFrom == wanted {
				return kind
			}
		}
	}
	return Kind{}
}

// Kind is the kind of volume that is accessible from x topologies, the plain one for 1; ok is false when the driver has no
// such volumes.
func (p Profile) Kind(x int) (kind Kind, ok bool) {
	if x == 1 {
		return p.Plain(), true
	}
	for _, kind := range p.Volumes {
		if int(kind.AccessibleFrom) == x {
			return kind, true
		}
	}
	return Kind{}, false
}

// Parameters are those of the kind of volume that is accessible from x topologies; ok is false when there is none.
func (p Profile) Parameters(x int) (parameters map[string]string, ok bool) {
	kind, ok := p.Kind(x)
	return kind.Parameters, ok
}

// Numbers returns each x that a kind of volume has, with 1 for the plain one.
func (p Profile) Numbers() []int {
	numbers := []int{1}
	for _, kind := range p.Volumes {
		if kind.AccessibleFrom > 1 {
			numbers = append(numbers, int(kind.AccessibleFrom))
		}
	}
	return numbers
}

// Filling is how much may be taken of a segment to make it full, with what is meant where nothing is said. No limit of
// bytes is 0.
func (p Profile) Filling() Fill {
	const volumes, times = 100, 1000
	limit := p.Fill
	if limit.Volumes == 0 {
		limit.Volumes = volumes
	}
	if limit.Bytes == 0 && !p.Capacity.Exact() {
		limit.Bytes = times * p.VolumeBytes
	}
	return limit
}

// DefaultNamePrefix is how names begin where the profile does not say.
const DefaultNamePrefix = "csi-topo-"

// Names is how the names of all that the run creates begin.
func (p Profile) Names(run string) string {
	return cmp.Or(p.NamePrefix, DefaultNamePrefix) + run
}

// Grown is what volumes grow to, in bytes.
func (p Profile) Grown() int64 {
	if p.GrownBytes == 0 {
		return 2 * p.VolumeBytes
	}
	return p.GrownBytes
}
