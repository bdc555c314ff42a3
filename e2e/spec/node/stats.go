// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// stats returns the cases about NodeGetVolumeStats, which returns the usage of a volume at the path where it is.
func stats() []harness.Case {
	needs := harness.Needs(needsNode(), harness.NodeClaims(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS))
	mounted := harness.Needs(needs, harness.RealNodes())
	return []harness.Case{{
		ID:           "stats_usage",
		Text:         "returns a plausible usage from NodeGetVolumeStats where the volume is published, and should where it is staged",
		Requirements: []string{"NV-01", "NV-02", "NV-03"},
		Needs:        mounted,
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			published := publication.Publish(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))
			expectUsage(ctx, node, published)
			if published.GetStagingTargetPath() == "" {
				return
			}
			_, err := node.NodeGetVolumeStats(ctx, statsAt(published, published.GetStagingTargetPath()))
			suite.Should(ctx, "NV-02", err == nil, "volume_path may be where the volume was staged: NodeGetVolumeStats of volume %s at %s answered %s", published.GetVolumeId(), published.GetStagingTargetPath(), describe.Status(err))
		},
	}, {
		// used and available may be 0: only the workload knows them for a device.
		ID:           "stats_block",
		Text:         "returns a plausible usage of a block device from NodeGetVolumeStats",
		Requirements: []string{"NV-02", "NV-03"},
		Needs:        harness.Needs(needs, harness.Block(), harness.RealNodes()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			expectUsage(ctx, node, needPublishedAs(ctx, driver, node, driver.Block()))
		},
	}, {
		ID:           "stats_unknown_path",
		Text:         "returns NOT_FOUND from NodeGetVolumeStats for a path that does not exist, or no longer, and should for an empty directory",
		Requirements: []string{"NV-04", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        mounted,
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			published := publication.Publish(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))
			_, _ = node.NodeGetVolumeStats(ctx, statsAt(published, published.GetTargetPath())) // which a driver may remember

			_, err := node.NodeGetVolumeStats(ctx, statsAt(published, node.TargetPath(ctx)))
			harness.ExpectRefused(ctx, "NV-04", err, fmt.Sprintf("volume_path does not exist, so volume %s is not there: NOT_FOUND", published.GetVolumeId()), codes.NotFound)
			_, err = node.NodeGetVolumeStats(ctx, statsAt(published, node.StagingPath(ctx)))
			harness.ExpectMistakeRefused(ctx, "NV-04", err, fmt.Sprintf("volume_path is an empty directory, so volume %s is not there: NOT_FOUND, or INVALID_ARGUMENT", published.GetVolumeId()), codes.NotFound, codes.InvalidArgument)

			harness.NeedOK[any](nil, unpublish(ctx, node, published))
			if node.Exists(ctx, published.GetTargetPath()) {
				return // publish_makes_target judges it
			}
			_, err = node.NodeGetVolumeStats(ctx, statsAt(published, published.GetTargetPath()))
			harness.ExpectRefused(ctx, "NV-04", err, fmt.Sprintf("volume %s was unpublished, so it is not at volume_path any more: NOT_FOUND", published.GetVolumeId()), codes.NotFound)
		},
	}, {
		// volume_path may be any where the volume was published before.
		ID:           "stats_of_another_volume",
		Text:         "returns NOT_FOUND from NodeGetVolumeStats where the volume was published, and another is published now",
		Requirements: []string{"NV-04", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(mounted, harness.Volumes(2), harness.Attaches(2)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			one, other := needTwoStaged(ctx, node)
			other.TargetPath = one.GetTargetPath()
			harness.NeedOK(one, publish(ctx, node, one))
			_, _ = node.NodeGetVolumeStats(ctx, statsAt(one, one.GetTargetPath())) // which a driver may remember
			harness.NeedOK(one, unpublish(ctx, node, one))
			harness.NeedOK(other, publish(ctx, node, other))

			_, err := node.NodeGetVolumeStats(ctx, statsAt(one, one.GetTargetPath()))

			why := fmt.Sprintf("volume %s was unpublished, and volume %s is at volume_path now: NOT_FOUND, or INVALID_ARGUMENT", one.GetVolumeId(), other.GetVolumeId())
			expect := harness.ExpectRefused
			if _, empty := node.NodeGetVolumeStats(ctx, statsAt(one, node.StagingPath(ctx))); empty == nil { // see stats_unknown_path
				expect = harness.ExpectMistakeRefused
			}
			expect(ctx, "NV-04", err, why, codes.NotFound, codes.InvalidArgument)
		},
	}, {
		ID:           "stats_unknown_volume",
		Text:         "returns NOT_FOUND from NodeGetVolumeStats for a volume that does not exist",
		Requirements: []string{"NV-04", "GEN-15", "GEN-16"},
		Needs:        needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			deleted := deletion.Volume(ctx, driver)

			_, err := node.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: deleted.GetVolumeId(), VolumePath: node.TargetPath(ctx)})

			harness.ExpectRefused(ctx, "NV-04", err, fmt.Sprintf("volume %s was deleted, and volume_path does not exist: NOT_FOUND", deleted.GetVolumeId()), codes.NotFound)
		},
	}}
}

// expectUsage judges the usage of a volume at its target path.
func expectUsage(ctx context.Context, node *harness.Node, published *csi.NodePublishVolumeRequest) {
	at := published.GetTargetPath()
	response, err := node.NodeGetVolumeStats(ctx, statsAt(published, at))
	harness.ExpectOK("NV-02", err, fmt.Sprintf("volume_path may be any where the volume was published: NodeGetVolumeStats of volume %s at %s", published.GetVolumeId(), at))
	for _, usage := range response.GetUsage() {
		suite.Must("NV-03", usage.GetUnit() != csi.VolumeUsage_UNKNOWN, "unit is REQUIRED, and is UNKNOWN in the usage of volume %s: %s", published.GetVolumeId(), usage)
		suite.Must("NV-03", usage.GetUnit() != csi.VolumeUsage_BYTES || usage.GetTotal() != 0, "total is REQUIRED, and is 0 in the usage of volume %s: %s", published.GetVolumeId(), usage)
		for _, field := range []struct {
			name  string
			value int64
		}{{"total", usage.GetTotal()}, {"used", usage.GetUsed()}, {"available", usage.GetAvailable()}} {
			suite.Must("NV-03", field.value >= 0, "%s must not be negative, and is %d in the usage of volume %s: %s", field.name, field.value, published.GetVolumeId(), usage)
			suite.Should(ctx, "NV-03", field.value <= usage.GetTotal(), "%s is more than total in the usage of volume %s: %s", field.name, published.GetVolumeId(), usage)
		}
	}
}

// statsAt gets the usage of the volume at the path.
func statsAt(published *csi.NodePublishVolumeRequest, at string) *csi.NodeGetVolumeStatsRequest {
	return &csi.NodeGetVolumeStatsRequest{VolumeId: published.GetVolumeId(), VolumePath: at, StagingTargetPath: published.GetStagingTargetPath()}
}

// healthOf gets the health of the volume where it is published.
func healthOf(published *csi.NodePublishVolumeRequest) *csi.NodeGetVolumeHealthRequest {
	return &csi.NodeGetVolumeHealthRequest{VolumeId: published.GetVolumeId(), VolumePublishPath: published.GetTargetPath(), StagingTargetPath: published.GetStagingTargetPath()}
}

// health returns the cases about the problems of a volume, or of its storage, that a node reports: each problem once, with a
// status and a reason.
func health() []harness.Case {
	needs := harness.Needs(needsNode(), harness.NodeClaims(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH))
	return []harness.Case{{
		ID:           "health_of_volume",
		Text:         "implements NodeGetVolumeHealth, and names each problem of a volume once",
		Requirements: []string{"NV-05", "GEN-05", "VH-09"},
		Needs:        harness.Needs(needs, harness.RealNodes()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			published := publication.Publish(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))

			response, err := node.NodeGetVolumeHealth(ctx, healthOf(published))

			harness.ExpectOK("NV-05", err, fmt.Sprintf("a node with GET_VOLUME_HEALTH implements NodeGetVolumeHealth: volume %s is published at %s", published.GetVolumeId(), published.GetTargetPath()))
			suite.Must("GEN-05", response.GetVolumeHealth().GetVolumeId() == published.GetVolumeId(), "volume_health and its volume_id are REQUIRED: NodeGetVolumeHealth of volume %s is about %q", published.GetVolumeId(), response.GetVolumeHealth().GetVolumeId())
			var problems []problem
			for _, entry := range response.GetVolumeHealth().GetHealthStatuses() {
				problems = append(problems, problem{entry.GetStatus(), entry.GetReason(), ""})
			}
			expectNamed("VH-09", problems)

			harness.NeedOK[any](nil, unpublish(ctx, node, published))
			staged := healthOf(published)
			staged.VolumePublishPath = "" // which is OPTIONAL
			response, err = node.NodeGetVolumeHealth(attempt.Tolerant(ctx), staged)
			suite.Must("GEN-05", err != nil || response.GetVolumeHealth().GetVolumeId() == published.GetVolumeId(), "volume_health and its volume_id are REQUIRED: NodeGetVolumeHealth of volume %s, which is staged and not published any more, is about %q", published.GetVolumeId(), response.GetVolumeHealth().GetVolumeId())
		},
	}, {
		ID:           "health_unknown_volume",
		Text:         "returns NOT_FOUND from NodeGetVolumeHealth for a volume that does not exist",
		Requirements: []string{"NV-06", "GEN-15", "GEN-16"},
		Needs:        needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			deleted := deletion.Volume(ctx, driver)

			_, err := driver.Nodes[0].NodeGetVolumeHealth(ctx, &csi.NodeGetVolumeHealthRequest{VolumeId: deleted.GetVolumeId()})

			harness.ExpectRefused(ctx, "NV-06", err, fmt.Sprintf("volume %s was deleted: NOT_FOUND", deleted.GetVolumeId()), codes.NotFound)
		},
	}, {
		ID:           "health_of_storage",
		Text:         "implements NodeGetStorageHealth on every node, and names each problem once",
		Requirements: []string{"GEN-05", "GEN-14", "NV-07"},
		Needs:        harness.Needs(harness.Nodes(1), harness.NodeClaims(csi.NodeServiceCapability_RPC_GET_STORAGE_HEALTH)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			for _, node := range driver.Nodes {
				response, err := node.NodeGetStorageHealth(ctx, &csi.NodeGetStorageHealthRequest{})

				harness.ExpectOK("GEN-14", err, fmt.Sprintf("%s claims GET_STORAGE_HEALTH, and so implements NodeGetStorageHealth", node))
				var problems []problem
				for _, health := range response.GetBackendHealth() {
					problems = append(problems, problem{health.GetStatus(), health.GetReason(), health.GetVolumeCapability().String()})
				}
				expectNamed("NV-07", problems)
			}
		},
	}}
}

// problem identifies a problem of a volume or of storage, once in an answer.
type problem struct {
	status fmt.Stringer
	reason string
	// of is the capability that has the problem, if not all have it.
	of string
}

// expectNamed expects every problem to have a status and a reason, and, by the clause, to occur once.
func expectNamed(once string, problems []problem) {
	seen := map[problem]bool{}
	for _, p := range problems {
		named := p.reason != "" && p.status != csi.VolumeHealthErrorType_UNKNOWN_VOLUME_HEALTH_TYPE && p.status != csi.StorageHealthErrorType_UNKNOWN_STORAGE_HEALTH_ERROR_TYPE
		suite.Must("GEN-05", named, "each problem has a status and a reason, which are REQUIRED: %s %q", p.status, p.reason)
		suite.Must(once, !seen[p], "no two problems have the same status, reason and volume_capability: %s %q %s", p.status, p.reason, p.of)
		seen[p] = true
	}
}
