// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"
	"path"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// nodeRefused returns the cases about requests that a CO must not make for a volume on the node. A driver that ignores
// the mistake gets a warning.
func nodeRefused() []harness.Case {
	return []harness.Case{nodeGrowUnsupportedCapability(), nodeGrowAsBlock(), nodeGrowBeyondVolume()}
}

func nodeGrowUnsupportedCapability() harness.Case {
	return harness.Case{
		ID:           "node_grow_unsupported_capability",
		Text:         "returns INVALID_ARGUMENT on the node for a volume_capability that the volume does not have",
		Requirements: []string{"NE-25", "NE-27", "GEN-15", "GEN-16"},
		Needs:        nodeGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Capability())
			request := h.request()
			unsupported, why := validation.Unsupported(ctx, driver, h.volume)
			request.VolumeCapability = unsupported

			_, err := h.node.NodeExpandVolume(ctx, request)

			if err == nil {
				suite.Warn(ctx, "NE-25", "NodeExpandVolume answered OK for a volume_capability %s: %s", why, describe.Capability(request.GetVolumeCapability()))
				return
			}
			harness.ExpectRefused(ctx, "NE-25", err, "a volume_capability "+why+" is INVALID_ARGUMENT, or FAILED_PRECONDITION where the volume cannot grow in use (NE-27)",
				codes.InvalidArgument, codes.FailedPrecondition)
		},
	}
}

// nodeGrowAsBlock claims that a mounted volume is a block device, which would have no file system to grow.
func nodeGrowAsBlock() harness.Case {
	return harness.Case{
		ID:           "node_grow_as_block",
		Text:         "should refuse to grow a mounted volume as a block device",
		Requirements: []string{"NE-23", "NE-25", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(nodeGrowth(), harness.Mount(), harness.Block()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Mount())
			request := h.request()
			request.VolumeCapability = driver.Block()

			_, err := h.node.NodeExpandVolume(ctx, request)

			harness.ExpectMistakeRefused(ctx, "NE-25", err, "the volume is mounted at volume_path, and volume_capability says that it is a block device (NE-23)")
		},
	}
}

// nodeGrowBeyondVolume requests more than the size that the controller was asked for. A CO must not do that, and any refusal
// is accepted: a retryable code is as good as OUT_OF_RANGE, because the volume may still grow. After OK, a kubelet assumes
// that the volume has that size.
func nodeGrowBeyondVolume() harness.Case {
	return harness.Case{
		ID:           "node_grow_beyond_volume",
		Text:         "refuses to grow a volume on the node beyond the size that the controller expanded it to",
		Requirements: []string{"NE-28", "CR-03", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME), nodeGrowth()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			request := growth.NodeRequest(node, publication.Publish(ctx, node, volume), larger(driver, volume))

			response, err := node.NodeExpandVolume(attempt.Once(ctx), request)

			if err == nil {
				suite.Warn(ctx, "CR-03", "%s answered OK and capacity_bytes %d, and the controller has made the volume %d bytes large: a CO now believes that it has grown",
					describeNodeGrowth(request), response.GetCapacityBytes(), sizeOf(driver, volume))
				return
			}
			harness.ExpectRefused(ctx, "NE-28", err, "a volume cannot become larger on the node than the controller has made it")
		},
	}
}

// isRefused reports whether a growth was refused, with another code than the one for file systems that cannot grow in use.
func isRefused(err error) bool {
	return err != nil && status.Code(err) != codes.FailedPrecondition
}

// notOnNode returns the cases about volumes that are not at volume_path, which is an existing directory.
func notOnNode() []harness.Case {
	needs := nodeGrowth()
	return []harness.Case{{
		ID:           "node_grow_unknown_volume",
		Text:         "should return NOT_FOUND from NodeExpandVolume for a volume that was deleted",
		Requirements: []string{"NE-26", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			// A CO calls this for a volume that it has staged. A node that does not know which volumes exist finds none at the path.
			err := growElsewhere(ctx, driver.Nodes[0], deletion.Volume(ctx, driver), growth.Size(driver))

			harness.ExpectMistakeRefused(ctx, "NE-26", err, "the volume was deleted: it is NOT_FOUND for NodeExpandVolume")
			suite.Should(ctx, "NE-26", err == nil || status.Code(err) == codes.NotFound, "the volume was deleted: it is NOT_FOUND for NodeExpandVolume\ngot: %s", describe.Status(err))
		},
	}, {
		ID:           "node_grow_not_on_node",
		Text:         "should refuse to grow a volume that is not on the node",
		Requirements: []string{"NE-04", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			bytes := larger(driver, volume)
			if controllerGrows(driver) {
				needGrown(ctx, driver, volume, bytes, driver.Capability())
			}

			err := growElsewhere(ctx, node, volume, bytes)

			if err == nil && controllerGrows(driver) {
				// It has the size already, so that OK may be right (NE-03): nothing obliges the node to check the path
				// first.
				suite.Warn(ctx, "NE-04", "NodeExpandVolume is for volumes that are staged or published at volume_path, and answered OK for volume %s, which is not on the node: a CO assumes that its file system has grown", volume.GetVolumeId())
				return
			}
			harness.ExpectMistakeRefused(ctx, "NE-04", err, "NodeExpandVolume is for volumes that are staged or published at volume_path")
		},
	}, {
		// Without both fields, the only remaining reason to refuse the call is that the volume is not there.
		ID:           "node_grow_not_on_node_no_fields",
		Text:         "should refuse to grow a volume that is not on the node, without capacity_range and volume_capability too",
		Requirements: []string{"NE-04", "NE-16", "NE-22", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := elsewhere(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)), 0)
			request.CapacityRange, request.VolumeCapability = nil, nil

			_, err := node.NodeExpandVolume(ctx, request)

			harness.ExpectMistakeRefused(ctx, "NE-04", err, "NodeExpandVolume is for volumes that are staged or published at volume_path")
		},
	}}
}

// growElsewhere asks the node to grow a volume in a directory where it is not.
func growElsewhere(ctx context.Context, node *harness.Node, volume *csi.Volume, bytes int64) error {
	_, err := node.NodeExpandVolume(ctx, elsewhere(ctx, node, volume, bytes))
	return err
}

// elsewhere returns a request to grow a volume in a directory where it is not.
func elsewhere(ctx context.Context, node *harness.Node, volume *csi.Volume, bytes int64) *csi.NodeExpandVolumeRequest {
	unpublished := publication.Request(ctx, node, publication.StageRequest(ctx, node, volume, nil))
	request := growth.NodeRequest(node, unpublished, bytes)
	request.VolumePath = path.Dir(unpublished.GetTargetPath())
	return request
}
