// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
)

const (
	// version and specVersion are the versions of csi-sanity and of the specification that the table is for.
	version, specVersion = "5.6.0", "1.13.0"

	listSnapshots  = "ListSnapshots [Controller Server]"
	createSnapshot = "CreateSnapshot [Controller Server]"
	deleteSnapshot = "DeleteSnapshot [Controller Server]"
	expandVolume   = "ExpandVolume [Controller Server]"
	modifyVolume   = "ModifyVolume [Controller Server]"
	nodeService    = "Node Service"
)

// assertion is an assertion of csi-sanity that the specification does not demand: a case refuses an answer that
// contradicts no MUST. Any other answer that the case refuses is a failure.
type assertion struct {
	place
	// rpc is the call whose answer the case refuses, and codes are the codes of such answers; when restricts them, unless
	// it is nil.
	rpc   string
	codes []codes.Code
	when  func(call) bool
	// because explains why the answer is not wrong. The specification has the quote beginning at the line, and the
	// register the clause, if it has one.
	because string
	line    int
	quote   string
	clause  string
}

func (a assertion) is(at place, last call) bool {
	return a.place == at && a.rpc == last.rpc && slices.Contains(a.codes, last.code()) && (a.when == nil || a.when(last))
}

// String returns the reason as a sentence, with its source.
func (a assertion) String() string {
	clause := ""
	if a.clause != "" {
		clause = ", " + a.clause
	}
	return fmt.Sprintf("That is more than the specification demands: %s. \"%s\" (CSI spec.md v%s line %d%s)", a.because, a.quote, specVersion, a.line, clause)
}

var (
	ok           = []codes.Code{codes.OK}
	invalid      = []codes.Code{codes.InvalidArgument}
	notFound     = []codes.Code{codes.NotFound}
	outOfRange   = []codes.Code{codes.OutOfRange}
	precondition = []codes.Code{codes.FailedPrecondition}
	unlisted     = []codes.Code{codes.InvalidArgument, codes.NotFound}
	// anyRefusal lists the codes of a refusal that reach the table: codes after which a call is repeated, and codes that
	// are inconclusive, are handled before.
	anyRefusal = []codes.Code{codes.InvalidArgument, codes.NotFound, codes.AlreadyExists, codes.FailedPrecondition, codes.OutOfRange, codes.Internal}
)

// stricter lists the assertions of csi-sanity that go beyond a MUST.
var stricter = slices.Concat(identity, volumes, snapshots, growth, onNodes, twoMistakes)

var identity = []assertion{
	{
		place{"GetPluginInfo", "should return appropriate information"}, "GetPluginInfo", ok, func(c call) bool {
			return soundName.MatchString(c.response.(*csi.GetPluginInfoResponse).GetName())
		},
		"a name may end with a digit", 595, "beginning and ending with an alphanumeric character ([a-z0-9A-Z])", "",
	},
	{
		place{"Probe", "should return appropriate information"}, "Probe", precondition, nil,
		"a plugin that is not healthy says so by this very code", 796, "Indicates that the plugin is not in a healthy/ready state.", "",
	},
}

var soundName = regexp.MustCompile(`^[a-zA-Z0-9]([-.a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$`)

var volumes = []assertion{
	{
		place{"ListVolumes", "should fail when an invalid starting_token is passed"}, "ListVolumes", ok, nil,
		"a token may be a position in an order, where any position is valid", 1636, "Indicates that `starting_token` is not valid.", "LV-17",
	},
	{
		place{"ListVolumes", "check the presence of new volumes and absence of deleted ones in the volume list"}, "ListVolumes", ok, nil,
		"the specification does not say how soon a list shows what was created or deleted, and others may create and delete volumes meanwhile",
		1565, "The Plugin SHALL return the information about all the volumes that it knows about.", "LV-01",
	},
	{
		place{"CreateVolume", "should not fail when creating volume with maximum-length name"}, "CreateVolume", invalid, nil,
		"the name is a suggestion, and a CO can choose a shorter one", 849, "Any Unicode string that conforms to the length limit is allowed", "GEN-04",
	},
	{
		place{"CreateVolume", "should fail when requesting to create a volume with already existing name and different capacity"}, "CreateVolume", outOfRange, nil,
		"a size that the driver does not have is refused with this code, whatever the name",
		1298, "Indicates that the capacity range is not allowed by the Plugin", "CREATE-11",
	},
	{
		place{"CreateVolume", "should create volume from an existing source snapshot"}, "CreateVolume", ok, func(c call) bool {
			return c.response.(*csi.CreateVolumeResponse).GetVolume().GetVolumeId() != ""
		},
		"content_source need not be returned, though external-provisioner requires it", 1088, "If specified, indicates that the volume is not empty and is pre-populated with data from the specified source. This field is OPTIONAL.", "VS-01",
	},
	{
		place{"CreateVolume", "should fail when the volume source snapshot is not found"}, "CreateVolume", invalid, nil,
		"the id that csi-sanity gives may not be one of the driver's form", 526, "has an invalid value", "GEN-12",
	},
	{
		place{"CreateVolume", "should not create volume with an invalid volume attribute class"}, "CreateVolume", ok, nil,
		"a driver that ignores an unknown parameter hides a mistake, but contradicts no MUST", 908, "The Plugin is responsible for parsing and validating these parameters.", "",
	},
	{
		place{"DeleteVolume", "should succeed when an invalid volume id is used"}, "DeleteVolume", invalid, nil,
		"the id that csi-sanity gives may not be one of the driver's form", 526, "has an invalid value", "GEN-12",
	},
	{
		place{modifyVolume, "should fail if specified mutable parameters are not supported by the volume"}, "ControllerModifyVolume", ok, nil,
		"a driver may support any parameter, or ignore one that it does not know, which hides a mistake", 1941, "the CO has specified invalid mutable parameter keys or values", "MV-04",
	},
	{
		place{modifyVolume, "should fail to modify a volume created with a volume attribute class if new mutable parameters are not supported by volume"}, "ControllerModifyVolume", ok, nil,
		"a driver may support any parameter, or ignore one that it does not know, which hides a mistake", 1941, "the CO has specified invalid mutable parameter keys or values", "MV-04",
	},
	{
		place{modifyVolume, "should fail if volume does not exist"}, "ControllerModifyVolume", invalid, nil,
		"the id that csi-sanity gives may not be one of the driver's form", 526, "has an invalid value", "GEN-12",
	},
}

var snapshots = []assertion{
	{
		place{createSnapshot, "should succeed when creating snapshot with maximum-length name"}, "CreateSnapshot", invalid, nil,
		"the name is a suggestion, and a CO can choose a shorter one", 2178, "Any Unicode string that conforms to the length limit is allowed", "GEN-04",
	},
	{
		place{createSnapshot, "should succeed when creating a snapshot with accessibility requirements"}, "CreateSnapshot", ok, func(c call) bool {
			return c.response.(*csi.CreateSnapshotResponse).GetSnapshot().GetSnapshotId() != ""
		},
		"a topology may be reported with fewer keys than a node has, and as more than one entry", 2282, "An SP MAY specify multiple topologies to indicate the snapshot is usable from multiple locations.", "",
	},
	{
		place{deleteSnapshot, "should succeed when an invalid snapshot id is used"}, "DeleteSnapshot", invalid, nil,
		"the id that csi-sanity gives may not be one of the driver's form", 526, "has an invalid value", "GEN-12",
	},
	{
		place{listSnapshots, "should return snapshots that match the specified snapshot id"}, "ListSnapshots", ok, hasNone,
		"the specification does not say how soon a list shows what was created", 2351, "The Plugin SHALL return the information about all snapshots on the storage system within the given parameters regardless of how they were created.", "LS-01",
	},
	{
		place{listSnapshots, "should return snapshots that match the specified source volume id"}, "ListSnapshots", ok, hasNone,
		"the specification does not say how soon a list shows what was created", 2351, "The Plugin SHALL return the information about all snapshots on the storage system within the given parameters regardless of how they were created.", "LS-01",
	},
	{
		place{listSnapshots, "should return empty when the specified snapshot id does not exist"}, "ListSnapshots", unlisted, nil,
		"the specification does not say that the list is empty for an id which no snapshot has", 2381, "It can be used to list only a specific snapshot.", "LS-05",
	},
	{
		place{listSnapshots, "should return empty when the specified source volume id does not exist"}, "ListSnapshots", unlisted, nil,
		"the specification does not say that the list is empty for an id which no volume has", 2377, "It can be used to list snapshots by volume.", "LS-04",
	},
	{
		place{listSnapshots, "check the presence of new snapshots in the snapshot list"}, "ListSnapshots", ok, nil,
		"the specification does not say how soon a list shows what was created or deleted, and others may create and delete snapshots meanwhile",
		2351, "The Plugin SHALL return the information about all snapshots on the storage system within the given parameters regardless of how they were created.", "LS-01",
	},
	{
		place{listSnapshots, "should return next token when a limited number of entries are requested"}, "ListSnapshots", ok, withinMaximum,
		"a page may be shorter than max_entries, and the list longer than what csi-sanity made", 2359, "If specified (non-zero value), the Plugin MUST NOT return more entries than this number in the response.", "LS-02",
	},
	{
		place{listSnapshots, "should return next token when a limited number of entries are requested"}, "ListSnapshots", invalid, nil,
		"a driver may have a smallest page", 526, "either not allowed by the Plugin or has an invalid value", "GEN-12",
	},
	{
		place{"GetVolumeGroupSnapshot", "should fail when an invalid volume id is used"}, "GetVolumeGroupSnapshot", invalid, nil,
		"csi-sanity leaves out snapshot_ids, which is REQUIRED", 525, "Indicates that a required field is missing from the request.", "GEN-11",
	},
	{
		place{"DeleteVolumeGroupSnapshot", "should succeed when an invalid volume id is used"}, "DeleteVolumeGroupSnapshot", invalid, nil,
		"csi-sanity leaves out snapshot_ids, which is REQUIRED", 525, "Indicates that a required field is missing from the request.", "GEN-11",
	},
}

func hasNone(c call) bool {
	return len(c.response.(*csi.ListSnapshotsResponse).GetEntries()) == 0
}

func withinMaximum(c call) bool {
	most := int(c.request.(*csi.ListSnapshotsRequest).GetMaxEntries())
	return most == 0 || len(c.response.(*csi.ListSnapshotsResponse).GetEntries()) <= most
}

var growth = []assertion{
	{
		place{expandVolume, "should work"}, "ControllerExpandVolume", outOfRange, nil,
		"nothing says that the driver has room for such a size", 2548, "Indicates that the capacity range is not allowed by the Plugin.", "",
	},
	{
		place{"NodeExpandVolume", "should work if node-expand is called after node-publish"}, "ControllerExpandVolume", outOfRange, nil,
		"nothing says that the driver has room for such a size", 2548, "Indicates that the capacity range is not allowed by the Plugin.", "",
	},
	{
		place{expandVolume, "should work"}, "ControllerExpandVolume", ok, isBigEnough,
		"a volume may grow to more than it must", 1042, "Volume MUST be at least this big.", "",
	},
	{
		place{"NodeExpandVolume", "should work if node-expand is called after node-publish"}, "ControllerExpandVolume", ok, isBigEnough,
		"a volume may grow to more than it must", 1042, "Volume MUST be at least this big.", "",
	},
	{
		place{"NodeExpandVolume", "should work if node-expand is called after node-publish"}, "NodeExpandVolume", precondition, nil,
		"not every file system grows in use", 3326, "the underlying filesystem does not support expansion of published or staged volumes", "NE-27",
	},
	{
		place{"NodeExpandVolume", "should work if node-expand is called after node-publish"}, "NodeExpandVolume", outOfRange, nil,
		"a node need not grow a volume which the controller did not", 3327, "Indicates that the capacity range is not allowed by the Plugin.", "",
	},
	{
		place{"NodeExpandVolume", "should fail when volume is not found"}, "NodeExpandVolume", append(anyRefusal, codes.OK), nil,
		"csi-sanity asks for a volume that is neither published nor staged, at a path that is not absolute",
		3244, "ONLY supports expansion of already node-published or node-staged volumes on the given `volume_path`", "",
	},
}

func isBigEnough(c call) bool {
	asked := c.request.(*csi.ControllerExpandVolumeRequest).GetCapacityRange().GetRequiredBytes()
	return c.response.(*csi.ControllerExpandVolumeResponse).GetCapacityBytes() >= asked
}

const (
	secondTarget = "should fail when volume with single node single writer access mode is already mounted at a different target path"
	multiWriter  = "with single node multi writer capability"
)

var onNodes = []assertion{
	{
		place{"NodeGetInfo", "should return appropriate values"}, "NodeGetInfo", ok, func(c call) bool {
			info := c.response.(*csi.NodeGetInfoResponse)
			return info.GetNodeId() != "" && info.GetMaxVolumesPerNode() >= 0
		},
		"a node need not report its topology, even if the plugin claims VOLUME_ACCESSIBILITY_CONSTRAINTS",
		3224, "This field is OPTIONAL. If it is not specified, the CO MAY assume the node is not subject to any topological constraint", "NI-16",
	},
	{
		place{multiWriter, secondTarget}, "NodePublishVolume", []codes.Code{codes.OK, codes.InvalidArgument, codes.AlreadyExists, codes.Internal}, func(c call) bool {
			return strings.HasSuffix(c.request.(*csi.NodePublishVolumeRequest).GetTargetPath(), "/other_target")
		},
		"the table says what the plugin SHOULD answer", 2743, "use the following table instead for what the Plugin SHOULD return when receiving a second `NodePublishVolume`", "NS-14",
	},
	{
		place{multiWriter, secondTarget}, "CreateVolume", invalid, nil,
		"the capability may stand for one of the two modes only", 3141, "Indicates the SP supports the SINGLE_NODE_SINGLE_WRITER and/or SINGLE_NODE_MULTI_WRITER access modes.", "",
	},
	{
		place{nodeService, "should work"}, "NodeGetVolumeStats", ok, nil,
		"usage need not be returned", 2926, "This field is OPTIONAL.", "",
	},
	{
		place{nodeService, "should be idempotent"}, "NodeGetVolumeStats", ok, nil,
		"usage need not be returned", 2926, "This field is OPTIONAL.", "",
	},
	{
		place{"NodeGetVolumeStats", "should fail when volume is not found"}, "NodeGetVolumeStats", invalid, nil,
		"csi-sanity gives a path that is not absolute", 2905, "It MUST be an absolute path in the root filesystem of the process serving this request.", "",
	},
	{
		place{"NodeGetVolumeStats", "should fail when volume does not exist on the specified path"}, "NodeGetVolumeStats", invalid, nil,
		"csi-sanity gives a path that is not absolute", 2905, "It MUST be an absolute path in the root filesystem of the process serving this request.", "",
	},
}

// twoMistakes lists the requests that lack a REQUIRED field and also have another mistake.
var twoMistakes = []assertion{
	alsoWrong("ControllerPublishVolume", "should fail when no node id is provided", notFound, noVolume),
	alsoWrong("ControllerPublishVolume", "should fail when no volume capability is provided", notFound, noVolume),
	alsoWrong("NodePublishVolume", "should fail when no volume id is provided", precondition, unstaged),
	alsoWrong("NodePublishVolume", "should fail when no target path is provided", notFound, noVolume),
	alsoWrong("NodePublishVolume", "should fail when no target path is provided", precondition, unstaged),
	alsoWrong("NodePublishVolume", "should fail when no volume capability is provided", notFound, noVolume),
	alsoWrong("NodePublishVolume", "should fail when no volume capability is provided", precondition, unstaged),
	alsoWrong("NodeUnpublishVolume", "should fail when no target path is provided", notFound, noVolume),
	alsoWrong("NodeStageVolume", "should fail when no staging target path is provided", notFound, noVolume),
	alsoWrong("NodeUnstageVolume", "should fail when no staging target path is provided", notFound, noVolume),
	alsoWrong("NodeGetVolumeStats", "should fail when no volume id is provided", notFound, "has a path where no volume is"),
	alsoWrong("NodeGetVolumeStats", "should fail when no volume path is provided", notFound, noVolume),
	alsoWrong(createSnapshot, "should fail when no name is provided", notFound, noVolume),
}

const (
	noVolume = "names a volume that does not exist"
	unstaged = "has no staging_target_path"
)

func alsoWrong(in, text string, codes []codes.Code, other string) assertion {
	rpc, _, _ := strings.Cut(in, " ")
	return assertion{
		place{in, text}, rpc, codes, nil,
		"the request also " + other + ", and which of two conditions comes first is not said",
		521, "if the conditions defined below are encountered, the plugin MUST return the associated gRPC error code", "GEN-11",
	}
}
