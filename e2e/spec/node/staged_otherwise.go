// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// stagedOtherwise returns the cases that publish a volume differently than it was staged, though it has both
// capabilities. A driver that only mounts in NodePublishVolume may accept it.
func stagedOtherwise() []harness.Case {
	mount := harness.Needs(needsStaging(), harness.Mount())
	return []harness.Case{{
		ID:           "publish_staged_as_mount",
		Text:         "should refuse to publish a volume as a block device that is staged as a file system",
		Requirements: []string{"NS-26", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(mount, harness.Block()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			publishOtherwise(ctx, driver, driver.Mount(), driver.Block())
		},
	}, {
		ID:           "publish_staged_for_reading",
		Text:         "should refuse to publish a volume for a writer that is staged for a reader",
		Requirements: []string{"NS-26", "GEN-15", "GEN-16"},
		Needs:        needsStaging(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			harness.Meet(ctx, driver, harness.Writer())
			publishOtherwise(ctx, driver, driver.Reader(), driver.Capability())
		},
	}, {
		ID:           "publish_after_refused_staging",
		Text:         "should refuse to publish a volume for a writer that is staged for a reader, also after NodeStageVolume refused the same",
		Requirements: []string{"NS-05", "NS-26", "GEN-15", "GEN-16"},
		Needs:        needsStaging(),
		Run:          publishAfterRefusedStaging,
	}, {
		ID:           "publish_other_file_system",
		Text:         "should refuse to publish a volume with another fs_type than it is staged with",
		Requirements: []string{"NS-26", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(mount, harness.Attaches(2)),
		Run:          publishOtherFileSystem,
	}}
}

func publishOtherwise(ctx context.Context, driver *harness.Driver, staged, published *csi.VolumeCapability) {
	node := driver.Nodes[0]
	volume := driver.NeedVolumeWith(ctx, driver.VolumeFor(node), published, staged)
	request := publication.Request(ctx, node, stageFor(ctx, node, volume, staged, published))
	request.VolumeCapability, request.Readonly = published, false

	harness.ExpectMistakeRefused(ctx, "NS-26", publish(ctx, node, request), fmt.Sprintf("volume %s is staged with %s, and asked for with %s",
		volume.GetVolumeId(), describe.Capability(staged), describe.Capability(published)))
}

// stageFor stages the volume with the capability. For a reader it is first staged for a writer, and taken away again: a
// plugin makes a file system only if it may write.
func stageFor(ctx context.Context, node *harness.Node, volume *csi.Volume, capability, writer *csi.VolumeCapability) *csi.NodeStageVolumeRequest {
	if messages.ReadsOnly(capability.GetAccessMode().GetMode()) {
		first := publication.PublishAs(ctx, node, volume, writer)
		publication.TakeAway(ctx, node, volume, first)
	}
	return publication.StageAs(ctx, node, volume, capability)
}

// publishAfterRefusedStaging checks that a refused call does not change how a volume is staged.
func publishAfterRefusedStaging(ctx context.Context, driver *harness.Driver) {
	harness.Meet(ctx, driver, harness.Writer())
	node, reader, writer := driver.Nodes[0], driver.Reader(), driver.Capability()
	volume := driver.NeedVolumeWith(ctx, driver.VolumeFor(node), writer, reader)
	staged := stageFor(ctx, node, volume, reader, writer)
	again := proto.CloneOf(staged)
	again.VolumeCapability = writer

	err := stage(ctx, node, again)
	if err == nil {
		suite.Skip(suite.ByCapability, "NodeStageVolume accepts a volume for a writer that is staged for a reader: the plugin regards that as compatible")
	}
	// It is attached for a reader, too: the plugin decides which of its checks comes first.
	harness.ExpectRefused(ctx, "NS-05", err, fmt.Sprintf("volume %s is attached and staged with %s, and asked for with %s, which is refused with a status",
		volume.GetVolumeId(), describe.Capability(reader), describe.Capability(writer)))
	request := publication.Request(ctx, node, staged)
	request.VolumeCapability, request.Readonly = writer, false
	harness.ExpectMistakeRefused(ctx, "NS-26", publish(ctx, node, request), fmt.Sprintf("volume %s is staged with %s, and NodeStageVolume refused to stage it with %s, with which it is to be published",
		volume.GetVolumeId(), describe.Capability(reader), describe.Capability(writer)))
}

// publishOtherFileSystem needs two file systems of the driver, and a node plugin that checks fs_type at all: many use the
// staged file system, whatever the request says.
func publishOtherFileSystem(ctx context.Context, driver *harness.Driver) {
	node := driver.Nodes[0]
	of := func(fsType string) *csi.VolumeCapability {
		capability := driver.Mount()
		capability.GetMount().FsType = fsType
		return capability
	}
	first := driver.Profile().FsType
	if first == "" {
		first = otherThan("")
	}
	second := otherThan(first)
	spare := publication.StageAs(ctx, node, driver.NeedVolumeWith(ctx, driver.VolumeFor(node), of(second)), of(second))
	harness.NeedOK(spare, unstage(ctx, node, spare))
	volume := driver.NeedVolumeWith(ctx, driver.VolumeFor(node), of(first), of(second))
	staged := publication.StageAs(ctx, node, volume, of(first))
	publishWith := func(fsType string) error {
		request := publication.Request(ctx, node, staged)
		request.VolumeCapability = of(fsType)
		return publish(ctx, node, request)
	}
	if publishWith("csi-topo-none") == nil {
		suite.Skip(suite.ByCapability, "NodePublishVolume accepts any fs_type for a volume that is staged")
	}
	harness.ExpectMistakeRefused(ctx, "NS-26", publishWith(second), fmt.Sprintf("volume %s is staged as %s, and asked for as %s, which NodeStageVolume makes as well",
		volume.GetVolumeId(), first, second))
}
