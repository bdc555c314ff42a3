// SPDX-License-Identifier: Apache-2.0

// Package profile reads a vendor's description of a driver from one strict YAML file: everything that the driver's own
// answers do not show.
package profile

import "cmp"

// Profile describes one driver.
type Profile struct {
	// Driver is the driver's CSI name, as GetPluginInfo returns it.
	Driver string `yaml:"driver" jsonschema:"required"`
	// Implementation says whose driver it is, for a report that others read: `csi-topo report verify` requires all of it.
	//
	//	implementation:
	//	  organization: Example Storage
	//	  project: example-csi
	//	  url: https://github.com/example/example-csi
	//	  version: v1.2.3
	//	  backend: {kind: fake, lacks: [no-growth]} # of a run without the real storage
	Implementation Implementation `yaml:"implementation"`
	// Endpoints are where the driver's services listen. Flags of the command line take precedence.
	//
	//	endpoints:
	//	  controller: unix:///csi/controller.sock
	//	  nodes: [unix:///csi/node-a.sock, unix:///csi/node-b.sock]
	Endpoints Endpoints `yaml:"endpoints"`
	// ControllerPerNode says that each node has its own controller, only for the volumes of that node, as with
	// csi-provisioner's --node-deployment. Then each of the node endpoints must serve the Controller service too, and
	// creates volumes in its own segment.
	//
	//	controllerPerNode: true
	ControllerPerNode bool `yaml:"controllerPerNode"`
	// Segments are topology segments that the driver has, each with all its keys. Segments that the node endpoints
	// report need not be listed. A profile that lists any says that there are no others besides these and the reported
	// ones.
	//
	//	segments:
	//	- {topology.example.com/region: r1, topology.example.com/zone: a}
	//	- {topology.example.com/region: r1, topology.example.com/zone: b}
	Segments []map[string]string `yaml:"segments"`
	// VolumeBytes is the size in bytes of the volumes that cases create. The driver must be able to make volumes of
	// this size, and a segment must have room for dozens of them.
	VolumeBytes int64 `yaml:"volumeBytes" jsonschema:"required,minimum=1"`
	// GrownBytes is the size in bytes that volumes grow to, which must be more than volumeBytes; twice volumeBytes when
	// 0.
	//
	//	grownBytes: 21474836480
	GrownBytes int64 `yaml:"grownBytes" jsonschema:"minimum=0"`
	// Volumes are the kinds of volume that cases may create, at most one for each number of topologies. Without any,
	// cases create volumes without parameters, and take the number of their topologies from the answers. `kubectl get
	// storageclass -o yaml` shows the parameters of volumes in a cluster.
	//
	//	volumes:
	//	- accessibleFrom: 1
	//	  parameters: {type: ssd}
	//	- accessibleFrom: 2
	//	  parameters: {type: ssd, replication: regional}
	Volumes []Kind `yaml:"volumes"`
	// ExistingVolume is a volume that exists already, for a driver that does not claim CREATE_DELETE_VOLUME, such as
	// one with only Identity and Node: cases that use a volume on a node use this one, one after another. It must not
	// be used otherwise meanwhile: files are written to it, or blocks if it is raw, and it is attached and detached. It
	// is never deleted. `kubectl get pv -o yaml` shows the volumes of a cluster.
	//
	//	existingVolume:
	//	  volumeHandle: nfs.example.com/share
	//	  volumeAttributes: {server: nfs.example.com, share: /share}
	//	  accessibleTopology: [{topology.example.com/zone: a}]
	ExistingVolume *ExistingVolume `yaml:"existingVolume"`
	// OtherParameters are StorageClass parameters that make a volume incompatible with one of the first kind:
	// CreateVolume with these parameters and an existing name must be refused.
	//
	//	otherParameters: {type: hdd}
	OtherParameters map[string]string `yaml:"otherParameters"`
	// MutableParameters are parameters that ControllerModifyVolume can change, with their new values, as in a
	// VolumeAttributesClass. Without them it is not called.
	//
	//	mutableParameters: {iops: "4000"}
	MutableParameters map[string]string `yaml:"mutableParameters"`
	// SnapshotParameters are the VolumeSnapshotClass parameters of the snapshots that cases create. `kubectl get
	// volumesnapshotclass -o yaml` shows the parameters in a cluster.
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
	// Mount says whether the driver has volumes with file systems: it does, unless this is false. A driver without them
	// needs block: true.
	//
	//	mount: false
	Mount *bool `yaml:"mount"`
	// Block says that the driver has raw block volumes.
	//
	//	block: true
	Block bool `yaml:"block"`
	// FakeNodes says that the nodes mount nothing, as with a fake driver: cases that look at mounts and at data are
	// skipped.
	//
	//	fakeNodes: true
	FakeNodes bool `yaml:"fakeNodes"`
	// Capacity says how to interpret GetCapacity. With exact, each volume, also a copy, takes its size from the segments
	// that it is accessible from, and from no others; and only the run uses capacity while it runs. If the first volume
	// takes more than its capacity_bytes, or takes them from every segment, a run says so and treats capacity as at-least.
	// With at-least, the default, volumes can have the reported capacity, and it may change for other reasons. With
	// untracked, the reported capacity is ignored.
	//
	//	capacity: exact
	Capacity Capacity `yaml:"capacity" jsonschema:"enum=exact,enum=at-least,enum=untracked"`
	// Exhaust takes the room of a segment away by other means than volumes, such as a quota. Without it, cases that
	// need a full segment fill it with volumes, within the limits of fill.
	//
	//	exhaust:
	//	  command: [./quota.sh, lower]
	//	  giveBack: [./quota.sh, restore]
	Exhaust Exhaust `yaml:"exhaust"`
	// Exclusive says that only the run creates or deletes volumes and snapshots on the back end while it runs, so that an
	// unknown one is an orphan. Then a run also removes an object that the driver returned for a request without a name,
	// unless it was listed before; without exclusive, the run only names such an object at its end.
	//
	//	exclusive: true
	Exclusive bool `yaml:"exclusive"`
	// NamePrefix is the prefix of the names of volumes and snapshots that a run creates; the name of the run follows. A
	// driver may treat some names differently from Kubernetes' own, which begin with pvc- and snapshot-. The prefix has
	// at most 11 lower-case letters, digits and hyphens, and begins with a letter; csi-topo- when empty.
	//
	//	namePrefix: pvc-
	NamePrefix string `yaml:"namePrefix" jsonschema:"maxLength=11"`
	// Fill limits how much of a segment cases may take by volumes when they need it full. The room is given back after each
	// case.
	//
	//	fill: {volumes: 20, bytes: 1099511627776}
	Fill Fill `yaml:"fill"`
	// Scale is the largest installation that the driver is meant for. From it, and from the time that GetCapacity and
	// ListVolumes take, the suite computes whether csi-provisioner and csi-attacher can keep up. The default is the number
	// of topologies and of kinds of volumes in the run, which is usually far less, and 1000 volumes.
	//
	//	scale: {topologies: 1000, storageClasses: 2, volumes: 20000}
	Scale Scale `yaml:"scale"`
	// Directories says where nodes get the directories of NodeStageVolume and NodePublishVolume. Without commands they
	// are created in the file system of the machine that csi-topo runs on.
	//
	//	directories:
	//	  root: /var/lib/kubelet/csi-topo
	//	  make: [./on-node.sh, mkdir, -p]
	//	  remove: [./on-node.sh, rmdir]
	//	  exists: [./on-node.sh, exists]
	Directories Directories `yaml:"directories"`
	// Restart ends the driver's processes at once, as SIGKILL does, and starts them again: a program with its
	// arguments, which ends with status 0 once the driver is started. Then the driver has timeouts.restart to answer at
	// all of its endpoints. All connections to the driver must end with the restart; otherwise the case ends in an
	// error. Without it, no case checks that volumes, snapshots and publications survive a restart. A run also uses it
	// to go on when the driver's process ends during a call and nothing else starts it again.
	//
	//	restart: [./restart.sh]
	Restart []string `yaml:"restart"`
	// Secrets are sent with each call that has a field for them, by the name of the call. A StorageClass names the
	// secrets in a cluster by parameters that begin with csi.storage.k8s.io/ and end with secret-name. If a driver
	// repeats one of their values, the report shows ***stripped*** instead; values of less than 4 bytes, and values
	// that are also elsewhere in the profile, are shown.
	//
	//	secrets:
	//	  createVolume: {token: example}
	//	  nodeStageVolume: {token: example}
	Secrets Secrets `yaml:"secrets"`
	// Timeouts limit the waits of a run. Flags of the command line take precedence.
	//
	//	timeouts: {provision: 10m, settle: 1m}
	Timeouts Timeouts `yaml:"timeouts"`
	// Cluster describes the driver to the cluster tier; without it, only the spec tier can run.
	//
	//	cluster:
	//	  install: {kustomization: deploy}
	//	  topology: {zone: topology.example.com/zone}
	Cluster *Cluster `yaml:"cluster"`
	// Waivers are expected failures: requirements that the driver is known to violate, and cases that it is known to fail.
	// The cases still run. Findings about a waived requirement, or of a waived case, are set aside: a case without other
	// findings is skipped, as waived, with the reason. Other findings count. A waiver that no longer sets anything aside is
	// reported. Use `--skip` for a case that must not even run.
	//
	//	waivers:
	//	- {requirement: PF-05, reason: The storage cannot move volumes between regions.}
	Waivers []Waiver `yaml:"waivers"`
}

// Implementation is a driver as a product.
type Implementation struct {
	// Organization makes the driver.
	Organization string `yaml:"organization"`
	// Project is the driver's name for people.
	Project string `yaml:"project"`
	// URL is the address of the project.
	URL string `yaml:"url"`
	// Version is the version of the driver that was judged.
	Version string `yaml:"version"`
	// Backend describes the driver's storage in the run. Leave it out for the real storage.
	Backend Backend `yaml:"backend"`
}

// Backend is storage that replaces the real one, for example in a driver's own tests.
type Backend struct {
	// Kind is fake for a program that simulates the storage, or directories for directories of the machine.
	Kind string `yaml:"kind" jsonschema:"enum=fake,enum=directories"`
	// Lacks lists the features that the back end lacks, by the ids in e2e/conformance/lacks.yaml. A page that compares
	// drivers shows failures that a lack explains separately.
	Lacks []string `yaml:"lacks"`
}

// Endpoints are gRPC targets, such as unix:///csi/csi.sock, or paths of sockets.
type Endpoints struct {
	// Controller serves the Identity and Controller services. Leave it out for a driver with only Identity and Node,
	// and with controllerPerNode, where the nodes serve the Controller service.
	Controller string `yaml:"controller"`
	// Nodes serve the Identity and Node services, one for each node. Verifying topology takes one in each segment.
	Nodes []string `yaml:"nodes"`
}

// Kind is a kind of volume.
type Kind struct {
	// AccessibleFrom is the number of topologies that such a volume is accessible from, or everywhere: the specification's
	// x, which is not a field of any request. Without it, the answer of CreateVolume shows it.
	AccessibleFrom AccessibleFrom `yaml:"accessibleFrom"`
	// Parameters are the StorageClass parameters that ask for such a volume.
	Parameters map[string]string `yaml:"parameters"`
	// Segments are the only segments in which such volumes exist; empty means all.
	Segments []map[string]string `yaml:"segments"`
	// Sharing is a key that has the same value in all topologies of such a volume, such as topology.example.com/region
	// for disks with copies in two zones of one region.
	Sharing string `yaml:"sharing"`
	// AccessMode is the access mode of such volumes in cases about something else, such as MULTI_NODE_MULTI_WRITER for
	// a driver without SINGLE_NODE_WRITER; SINGLE_NODE_WRITER when empty.
	AccessMode AccessMode `yaml:"accessMode"`
}

// AccessibleFrom is a number of topologies, or the word everywhere. It is 0 if the profile does not say the number: the
// answer of CreateVolume shows it.
type AccessibleFrom int

// Everywhere says that a volume is accessible from every node; its answer need not list topologies.
const Everywhere AccessibleFrom = -1

// Capacity says how to interpret GetCapacity.
type Capacity string

const (
	// Exact says that each volume, also a copy, takes its size from the segments that it is accessible from, and from
	// no others; and that only the run uses capacity while it runs.
	Exact Capacity = "exact"
	// AtLeast says that volumes can have the reported capacity, and that it may change for other reasons.
	AtLeast Capacity = "at-least"
	// Untracked says that the reported capacity is ignored.
	Untracked Capacity = "untracked"
)

// Exact reports whether capacity can be compared to the byte. The default is at-least.
func (c Capacity) Exact() bool { return c == Exact }

// Untracked reports whether the reported capacity is ignored.
func (c Capacity) Untracked() bool { return c == Untracked }

// Exhaust names two programs with their arguments. Each gets the segment as JSON in the variable CSI_TOPO_SEGMENT, and ends
// with status 0 once it is done; processes that it leaves are ended.
type Exhaust struct {
	// Command takes the room of the segment away.
	Command []string `yaml:"command"`
	// GiveBack gives the room of the segment back.
	GiveBack []string `yaml:"giveBack"`
}

// Fill limits how much of a segment volumes may take to make it full. A case that needs more is skipped.
type Fill struct {
	// Volumes is the largest number of volumes; 100 when 0. The case attach_limit attaches max_volumes_per_node volumes to a
	// node. It is skipped if they are more than this number, or more than 64 when 0.
	Volumes int `yaml:"volumes" jsonschema:"minimum=0"`
	// Bytes is the largest available capacity of a segment that is filled. When 0, it is 1000 times volumeBytes, or
	// unlimited if capacity is exact, because only the run uses it then.
	Bytes int64 `yaml:"bytes" jsonschema:"minimum=0"`
}

// Directories says where the directories are that a CO passes to a node in calls. Without commands they are made in this
// process' file system. A command gets the path as its last argument and the node's id in the variable CSI_TOPO_NODE, and
// ends with status 0 once it is done; processes that it leaves are ended.
type Directories struct {
	// Root is the absolute path below which they are made.
	Root string `yaml:"root"`
	// Make makes a directory with its parents.
	Make []string `yaml:"make"`
	// Remove removes a directory that make made.
	Remove []string `yaml:"remove"`
	// Exists prints "true" or "false".
	Exists []string `yaml:"exists"`
	// Write writes its standard input to a file, which it creates, or to a device, beginning at byte CSI_TOPO_OFFSET.
	// Without write and read, no case writes to a volume.
	//
	//	write: [sh, -c, 'dd of="$0" seek="$CSI_TOPO_OFFSET" oflag=seek_bytes conv=notrunc,fsync']
	Write []string `yaml:"write"`
	// Read prints the content of a file or a device: CSI_TOPO_BYTES bytes beginning at byte CSI_TOPO_OFFSET, or fewer
	// at its end.
	//
	//	read: [sh, -c, 'dd if="$0" skip="$CSI_TOPO_OFFSET" count="$CSI_TOPO_BYTES" iflag=skip_bytes,count_bytes']
	Read []string `yaml:"read"`
}

// Waiver sets aside the findings about one requirement, or of one case, for a reason that the report shows.
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

// Plain returns the kind of volume for cases about something else: volumes of one topology, or else volumes without a
// number in the profile, or else volumes that are accessible from everywhere.
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

// Kind returns the kind of volume that is accessible from x topologies, the plain one for 1; ok is false if the driver
// has no such volumes.
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

// Parameters returns the parameters of the kind of volume that is accessible from x topologies; ok is false if there is
// none.
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

// Filling returns the limits for making a segment full, with defaults. Bytes is 0 if there is no limit.
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

// DefaultNamePrefix is the prefix of names if the profile does not set one.
const DefaultNamePrefix = "csi-topo-"

// Names returns the prefix of the names of everything that the run creates.
func (p Profile) Names(run string) string {
	return cmp.Or(p.NamePrefix, DefaultNamePrefix) + run
}

// Grown returns the size that volumes grow to, in bytes.
func (p Profile) Grown() int64 {
	if p.GrownBytes == 0 {
		return 2 * p.VolumeBytes
	}
	return p.GrownBytes
}
