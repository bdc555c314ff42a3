// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// optionalField is a field of NodeExpandVolumeRequest that a CO may leave out.
type optionalField struct {
	id, name string
	// clauses describe the behaviour of the plugin without the field; the last of them says that it is optional.
	clauses []string
	omit    func(*csi.NodeExpandVolumeRequest)
	// needs lists the node capabilities that the field requires; without them it is always empty.
	needs []csi.NodeServiceCapability_RPC_Type
	// says is set if the request still contains the wanted size.
	says bool
}

func optionalFields() []optionalField {
	return []optionalField{{
		id: "node_grow_no_range", name: "capacity_range", clauses: []string{"NE-14", "NE-15", "NE-16"},
		omit: func(r *csi.NodeExpandVolumeRequest) { r.CapacityRange = nil }, // the plugin MAY grow the volume to its maximum
	}, {
		id: "node_grow_no_staging_path", name: "staging_target_path", clauses: []string{"NE-18"},
		omit:  func(r *csi.NodeExpandVolumeRequest) { r.StagingTargetPath = "" },
		needs: []csi.NodeServiceCapability_RPC_Type{csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME},
		says:  true,
	}, {
		id: "node_grow_no_capability", name: "volume_capability", clauses: []string{"NE-21", "NE-22"},
		omit: func(r *csi.NodeExpandVolumeRequest) { r.VolumeCapability = nil },
		says: true,
	}}
}

// nodeOptional returns the cases about NodeExpandVolume without one of its optional fields.
func nodeOptional() []harness.Case {
	var cases []harness.Case
	for _, field := range optionalFields() {
		cases = append(cases, growWithout(field))
	}
	return cases
}

// growWithout leaves the field out. That a CO may do so binds no plugin: a refusal is a warning.
func growWithout(field optionalField) harness.Case {
	return harness.Case{
		ID:           field.id,
		Text:         "should grow a volume on the node without " + field.name,
		Requirements: append(field.clauses, "NE-01", "NE-27", "CR-03", "GEN-15", "GEN-16"),
		Needs:        harness.Needs(nodeGrowth(), harness.NodeClaims(field.needs...)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Capability())
			request := h.request()
			field.omit(request)

			response, err := h.node.NodeExpandVolume(ctx, request)

			if isRefused(err) && h.mustGrow(ctx, h.request(), "NE-01") != nil {
				suite.Warn(ctx, field.clauses[len(field.clauses)-1], "%s is OPTIONAL, and %s, which is OK with it, was refused without\ngot: %s", field.name, describeNodeGrowth(request), describe.Status(err))
				return
			}
			if h.judge(ctx, request, response, err, "NE-01") != nil && field.says {
				h.expectLarger(ctx, describeNodeGrowth(request))
			}
		},
	}
}

// nodePaths returns the cases about the length of volume_path and staging_target_path, which have separate limits.
func nodePaths() []harness.Case {
	return []harness.Case{nodeGrowLongPaths(), nodeGrowLongestPaths()}
}

func nodeGrowLongPaths() harness.Case {
	return harness.Case{
		ID:           "node_grow_long_paths",
		Text:         "grows a volume on the node at paths of 128 bytes",
		Requirements: []string{"NE-13", "NE-27", "GEN-15", "GEN-16"},
		Needs:        nodeGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const atLeast = 128
			h := grownAside(ctx, driver)
			if err := h.publishAt(ctx, atLeast); err != nil {
				suite.CouldNotTell("the volume could not be published at paths of %d bytes, which the case needs, and other cases judge: %s", atLeast, describe.Status(err))
			}

			response, err := h.node.NodeExpandVolume(ctx, h.request())

			if !isRefused(err) {
				h.judge(ctx, h.request(), response, err, "NE-01")
				return
			}
			publication.TakeAway(ctx, h.node, h.volume, h.published)
			h.published = publication.Publish(ctx, h.node, h.volume)
			if h.mustGrow(ctx, h.request(), "NE-01") != nil {
				suite.Fail("NE-13", "NodeExpandVolume is OK at short paths, and was refused at paths of %d bytes, which must be accepted\ngot: %s", atLeast, describe.Status(err))
			}
		},
	}
}

// nodeGrowLongestPaths uses paths that a plugin SHOULD accept.
func nodeGrowLongestPaths() harness.Case {
	return harness.Case{
		ID:           "node_grow_longest_paths",
		Text:         "should grow a volume on the node at paths of almost 4096 bytes",
		Requirements: []string{"NE-12", "NE-19", "NE-27"},
		Needs:        nodeGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const longest = 4000 // PATH_MAX is 4096, and a mount namespace may prefix the path
			h := grownAside(ctx, driver)

			err := h.publishAt(ctx, longest)
			if err == nil {
				var response *csi.NodeExpandVolumeResponse
				if response, err = h.node.NodeExpandVolume(ctx, h.request()); !isRefused(err) {
					h.judge(ctx, h.request(), response, err, "NE-01")
					return
				}
			}

			suite.Warn(ctx, "NE-12", "paths of the length that the operating system allows should be accepted (NE-12, NE-19), and paths of %d bytes were not\ngot: %s", longest, describe.Status(err))
		},
	}
}

// grownAside creates a volume for the node and expands it in the controller before it is published.
func grownAside(ctx context.Context, driver *harness.Driver) *held {
	h := &held{driver: driver, node: driver.Nodes[0]}
	h.volume = driver.NeedVolume(ctx, driver.VolumeFor(h.node))
	h.bytes = larger(driver, h.volume)
	if controllerGrows(driver) {
		needGrown(ctx, driver, h.volume, h.bytes, driver.Capability())
	}
	return h
}

// publishAt publishes the volume at paths of the given number of bytes.
func (h *held) publishAt(ctx context.Context, bytes int) error {
	stage := publication.StageRequest(ctx, h.node, h.volume, publication.Attach(ctx, h.driver, h.volume, h.node))
	stage.StagingTargetPath = h.node.LongPath(ctx, bytes)
	if h.node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
		if _, err := h.node.NodeStageVolume(ctx, stage); err != nil {
			return err
		}
	}
	h.published = publication.Request(ctx, h.node, stage)
	const target = "/target"
	h.published.TargetPath = h.node.LongPath(ctx, bytes-len(target)) + target
	_, err := h.node.NodePublishVolume(ctx, h.published)
	return err
}
