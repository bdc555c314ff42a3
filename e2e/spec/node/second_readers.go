// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// secondReaders returns the cases about a volume at two paths of a node, at the second one read-only. A plugin's record of a
// publication belongs to its path, and not to the volume. The second path begins with the first.
func secondReaders() []harness.Case {
	var cases []harness.Case
	for _, variant := range []struct {
		id    string
		mode  csi.VolumeCapability_AccessMode_Mode
		needs []harness.Need
	}{
		{"second_target_reads_multi_writer", csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER, needsNewModes()},
		{"second_target_reads_multi_node", csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER, needsNode()},
	} {
		cases = append(cases, harness.Case{
			ID:           variant.id,
			Text:         fmt.Sprintf("distinguishes two target paths of a volume of %s, of which one is read-only", variant.mode),
			Requirements: []string{"NS-13", "NS-16", "NS-20", "NS-21", "NS-25", "NS-29", "GEN-15", "GEN-16"},
			Needs:        variant.needs,
			Run: func(ctx context.Context, driver *harness.Driver) {
				readAtSecond(ctx, driver, variant.mode)
			},
		})
	}
	return cases
}

func readAtSecond(ctx context.Context, driver *harness.Driver, mode csi.VolumeCapability_AccessMode_Mode) {
	node := driver.Nodes[0]
	volume, capability := driver.NeedVolumeOf(ctx, driver.VolumeFor(node), mode)
	first := publication.PublishAs(ctx, node, volume, capability)
	shows := data.ShowsData(driver)
	if shows {
		data.Write(ctx, node, first, written)
	}
	second := proto.CloneOf(first)
	second.TargetPath, second.Readonly = beginningAs(ctx, node, first.GetTargetPath()), true
	if publish(ctx, node, second) != nil {
		suite.Skip(suite.ByCapability, "the plugin refuses to publish a volume of %s read-only at a second target_path", mode)
	}

	if shows {
		mustProtect(ctx, node, second)
	}
	writing := proto.CloneOf(second)
	writing.Readonly = false
	mistaken := publish(ctx, node, writing)
	harness.ExpectMistakeRefused(ctx, "NS-25", mistaken,
		fmt.Sprintf("volume %s is published at a second path with readonly = true, and asked for with readonly = false there: ALREADY_EXISTS (and NS-14)", volume.GetVolumeId()), codes.AlreadyExists)
	where := fmt.Sprintf("volume %s is published at %s with readonly = false, and at %s with readonly = true", volume.GetVolumeId(), first.GetTargetPath(), second.GetTargetPath())
	harness.ExpectOK("NS-13", publish(ctx, node, first), where+", and at the first path again in the same way, as NodePublishVolume is idempotent")
	if mistaken == nil { // it may have changed the volume at the second path
		return
	}
	harness.ExpectOK("NS-13", publish(ctx, node, second), where+", and at the second path again in the same way, as NodePublishVolume is idempotent")

	// Other cases judge a volume that is not seen there before.
	there := !driver.Profile().FakeNodes && node.Exists(ctx, second.GetTargetPath())
	reads := shows && data.Read(ctx, node, second) == written
	third := proto.CloneOf(second)
	third.TargetPath = node.TargetPath(ctx)
	if publish(ctx, node, third) == nil && !driver.Profile().FakeNodes {
		harness.ExpectOK("NS-16", unpublish(ctx, node, third), "NodeUnpublishVolume undoes what NodePublishVolume did")
		suite.Must("NS-29", !node.Exists(ctx, third.GetTargetPath()), "%s; it was published read-only and unpublished at %s as well, and something is still there: the plugin deletes what it created", where, third.GetTargetPath())
	}
	harness.ExpectOK("NS-16", unpublish(ctx, node, first), "NodeUnpublishVolume undoes what NodePublishVolume did")
	if there {
		suite.Must("NS-16", node.Exists(ctx, second.GetTargetPath()), "%s; NodeUnpublishVolume of the first path was OK, and now nothing is at the second", where)
		suite.Must("NS-29", !node.Exists(ctx, first.GetTargetPath()), "%s; NodeUnpublishVolume of the first path was OK, and something is still there: the plugin deletes what it created", where)
	}
	if reads {
		got := data.Read(ctx, node, second)
		suite.Must("NS-16", got == written, "%s, where %q was read; NodeUnpublishVolume of the first path was OK, and now %q is read at the second", where, written, got)
	}
}

// mustProtect fails the case if a workload can write to the volume where it is published read-only, as far as a mount shows
// that.
func mustProtect(ctx context.Context, node *harness.Node, published *csi.NodePublishVolumeRequest) {
	mounted, known := data.Mounted(ctx, node, published.GetTargetPath())
	isWritten := (mounted || !known) && data.TryWrite(ctx, node, published, written) == nil
	suite.Must("NS-21", !isWritten, "volume %s is published at %s with readonly = true, and was written to", published.GetVolumeId(), published.GetTargetPath())
}
