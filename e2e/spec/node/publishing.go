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
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// publishing returns the cases about NodePublishVolume, which creates target_path; the CO creates only the parent.
func publishing() []harness.Case {
	cases := []harness.Case{{
		ID:           "publish_read_only_protects",
		Text:         "does not let a workload write to a volume that is published read-only",
		Requirements: []string{"NS-21"},
		Needs:        harness.Needs(needsNode(), harness.Data()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Request(ctx, node, publication.Stage(ctx, node, needUsed(ctx, driver, node)))
			request.Readonly = true
			harness.ExpectOK("NS-21", publish(ctx, node, request), "a volume is published with readonly = true")

			if data.TryWrite(ctx, node, request, "written by csi-topo") != nil {
				return
			}
			if mounted, known := data.Mounted(ctx, node, request.GetTargetPath()); known && !mounted {
				suite.Skip(suite.ByEnvironment, "nothing is mounted at target_path, so whether the volume is read-only cannot be seen")
			}
			suite.Fail("NS-21", "volume %s is published at %s with readonly = true, and was written to", request.GetVolumeId(), request.GetTargetPath())
		},
	}, {
		ID:           "publish_unknown_volume",
		Text:         "should return NOT_FOUND from NodePublishVolume for a volume that does not exist",
		Requirements: []string{"NS-24", "GEN-15", "GEN-16"},
		Needs:        needsNode(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume, publishContext := needDeleted(ctx, driver, node)

			expectUnknown(ctx, "NS-24", "NodePublishVolume", volume, publish(ctx, node, publication.Request(ctx, node, publication.StageRequest(ctx, node, volume, publishContext))))
		},
	}, {
		ID:           "publish_unknown_mode",
		Text:         "should refuse to publish a volume with an access mode that no version of the specification has",
		Requirements: []string{"NS-26", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        needsNode(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Request(ctx, node, publication.Stage(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node))))
			request.VolumeCapability = messages.As(driver.Capability(), unknownMode)

			expectUnknownMode(ctx, "NS-26", publish(ctx, node, request))
		},
	}}
	for _, target := range []struct {
		id, text   string
		clauses    []string
		kind       []harness.Need
		capability func(*harness.Driver) *csi.VolumeCapability
	}{
		{"publish_makes_target", "creates target_path for a file system, and deletes it", []string{"NS-20"}, harness.Mount(), (*harness.Driver).Mount},
		{"publish_block_target", "creates target_path for a block device, should return ALREADY_EXISTS for the other readonly there, and deletes it",
			[]string{"NS-19", "NS-13", "NS-14", "NS-25", "GEN-15", "GEN-16"}, harness.Block(), (*harness.Driver).Block},
	} {
		cases = append(cases, harness.Case{
			ID:           target.id,
			Text:         target.text,
			Requirements: append(target.clauses, "NS-16", "NS-29"),
			Needs:        harness.Needs(needsNode(), target.kind, harness.RealNodes()),
			Run: func(ctx context.Context, driver *harness.Driver) {
				node := driver.Nodes[0]
				published := needPublishedAs(ctx, driver, node, target.capability(driver))
				path, isBlock := published.GetTargetPath(), published.GetVolumeCapability().GetBlock() != nil
				suite.Must(data.Clause(published), node.Exists(ctx, path), "volume %s was published, and nothing is at target_path, %s: the plugin creates it. If the nodes do not share this file system, name programs in the profile's directories",
					published.GetVolumeId(), path)
				if isBlock && driver.Target.Paths.Data() {
					data.MustBeNoDirectory(ctx, node, published)
				}

				harness.ExpectOK("NS-16", unpublish(ctx, node, published), "NodeUnpublishVolume undoes what NodePublishVolume did")

				suite.Must("NS-29", !node.Exists(ctx, path), "volume %s was unpublished, and something is at target_path, %s: the plugin deletes what it created", published.GetVolumeId(), path)
				if isBlock && !published.GetReadonly() {
					republishBothWays(ctx, node, published)
				}
			},
		})
	}
	return cases
}

// publishingAgain returns the cases about a repeated NodePublishVolume, which is idempotent: for a volume that is already at
// target_path it returns OK if the request is the same, and should return ALREADY_EXISTS otherwise.
func publishingAgain() []harness.Case {
	cases := []harness.Case{{
		ID:           "publish_again",
		Text:         "publishes a volume at the same path twice, and removes it by unpublishing it once",
		Requirements: []string{"NS-13", "NS-14", "NS-16"},
		Needs:        needsNode(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Publish(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))

			harness.ExpectOK("NS-13", publish(ctx, node, request), fmt.Sprintf("volume %s is published at the path in the same way, and NodePublishVolume is idempotent", request.GetVolumeId()))

			// NodeUnpublishVolume is called at least once for each target_path, not for each call of NodePublishVolume.
			harness.ExpectOK("NS-16", unpublish(ctx, node, request), "NodeUnpublishVolume undoes what NodePublishVolume did, which was called twice for the path")
			mounted, _ := data.Mounted(ctx, node, request.GetTargetPath())
			suite.Must("NS-16", !mounted, "volume %s was published twice at %s, NodeUnpublishVolume was OK, and something is still mounted there", request.GetVolumeId(), request.GetTargetPath())
		},
	}, {
		ID:           "publish_again_as_block",
		Text:         "should refuse to publish a volume as a block device where it is published as a file system",
		Requirements: []string{"NS-25", "NS-27", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(needsNode(), harness.Mount(), harness.Block()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Publish(ctx, node, driver.NeedVolumeWith(ctx, driver.VolumeFor(node), driver.Mount(), driver.Block()))
			request.VolumeCapability = driver.Block()

			harness.ExpectMistakeRefused(ctx, "NS-25", publish(ctx, node, request),
				fmt.Sprintf("volume %s is published at the path as a file system, and asked for as a block device: ALREADY_EXISTS, or FAILED_PRECONDITION for another volume_capability (NS-27)", request.GetVolumeId()),
				codes.AlreadyExists, codes.FailedPrecondition, codes.InvalidArgument)
		},
	}}
	for _, variant := range []struct {
		id, text string
		readOnly bool
	}{
		{"publish_read_only", "publishes a volume read-only, and should return ALREADY_EXISTS when asked for read-write at the same path", true},
		{"publish_again_read_only", "publishes a volume read-write, and should return ALREADY_EXISTS when asked for read-only at the same path", false},
	} {
		cases = append(cases, harness.Case{
			ID:           variant.id,
			Text:         variant.text,
			Requirements: []string{"NS-13", "NS-14", "NS-25", "GEN-15", "GEN-16"},
			Needs:        needsNode(),
			Run: func(ctx context.Context, driver *harness.Driver) {
				harness.Meet(ctx, driver, harness.Writer())
				node := driver.Nodes[0]
				volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
				if variant.readOnly {
					volume = needUsed(ctx, driver, node)
				}
				request := publication.Request(ctx, node, publication.Stage(ctx, node, volume))
				request.Readonly = variant.readOnly
				harness.ExpectOK("NS-13", publish(ctx, node, request), fmt.Sprintf("volume %s is published with readonly = %t", request.GetVolumeId(), variant.readOnly))
				expectReadOnlyKept(ctx, node, request)
			},
		})
	}
	return cases
}

// republishBothWays publishes a volume again at the path that it was unpublished from, read-write and then read-only if the
// plugin supports that.
func republishBothWays(ctx context.Context, node *harness.Node, request *csi.NodePublishVolumeRequest) {
	for _, readOnly := range []bool{false, true} {
		request.Readonly = readOnly
		err := publish(ctx, node, request)
		if readOnly && err != nil {
			suite.Reduced(ctx, "the plugin does not publish the volume read-only: %s", describe.Status(err))
			return
		}
		harness.ExpectOK("NS-16", err, fmt.Sprintf("volume %s was unpublished, and can be published again at the same path", request.GetVolumeId()))
		expectReadOnlyKept(ctx, node, request)
		harness.ExpectOK("NS-16", unpublish(ctx, node, request), "NodeUnpublishVolume undoes what NodePublishVolume did")
	}
}

// expectReadOnlyKept publishes a volume again where it is published: in the same way, which is OK, and with the other
// readonly.
func expectReadOnlyKept(ctx context.Context, node *harness.Node, published *csi.NodePublishVolumeRequest) {
	why := fmt.Sprintf("volume %s is published with readonly = %t", published.GetVolumeId(), published.GetReadonly())
	harness.ExpectOK("NS-13", publish(ctx, node, published), why+", and again, as NodePublishVolume is idempotent")
	other := proto.CloneOf(published)
	other.Readonly = !published.GetReadonly()
	harness.ExpectMistakeRefused(ctx, "NS-25", publish(ctx, node, other), fmt.Sprintf("%s, and asked for with readonly = %t at the same path: ALREADY_EXISTS (and NS-14)", why, other.GetReadonly()), codes.AlreadyExists)
}
