// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// rebooted unmounts a published volume between two restarts. Unlike a reboot, this keeps the driver's files in /run, which
// may say that the volume is mounted. So the case warns, and does not fail.
func rebooted() harness.Case {
	return harness.Case{
		ID:           "restart_without_mounts",
		Text:         "stages and publishes a volume again after a restart that left none of its mounts, as a reboot does, with its data",
		Requirements: []string{"NS-04", "NS-13"},
		Needs:        harness.Needs(needs(1), harness.Nodes(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const text = "data from before the reboot"
			if !data.ShowsData(driver) {
				suite.Skip(suite.ByProfile, "no data can be written to volumes, which would show whether they are mounted")
			}
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			node = publication.For(node, volume)
			data.WriteTo(ctx, node, volume, text)
			staged := publication.Stage(ctx, node, volume)
			request := publication.Request(ctx, node, staged)
			harness.NeedOK(node.NodePublishVolume(ctx, request))

			harness.RestartDriver(ctx, driver)
			needUnmounted(ctx, node, request.GetTargetPath(), staged.GetStagingTargetPath())
			harness.RestartDriver(ctx, driver)

			what := fmt.Sprintf("volume %s was published by %s, and its mounts were lost while the driver was restarted", volume.GetVolumeId(), node)
			if node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
				_, err := node.NodeStageVolume(ctx, staged)
				suite.Should(ctx, "NS-04", err == nil, "%s: NodeStageVolume, which Kubernetes repeats then, answered %s", what, describe.Status(err))
			}
			_, err := node.NodePublishVolume(ctx, request)
			suite.Should(ctx, "NS-13", err == nil, "%s: NodePublishVolume, which Kubernetes repeats then, answered %s", what, describe.Status(err))
			if err == nil {
				got := data.Read(ctx, node, request)
				suite.Should(ctx, "NS-13", got == text, "%s: NodePublishVolume was repeated, and %q can be read at %s, not %q as before", what, got, request.GetTargetPath(), text)
			}
		},
	}
}

// needUnmounted unmounts the paths, and skips the case if it cannot.
func needUnmounted(ctx context.Context, node *harness.Node, paths ...string) {
	lost := 0
	for _, path := range paths {
		if mounted, known := data.Mounted(ctx, node, path); !known || !mounted {
			continue
		}
		if err := node.Driver.Target.Paths.Unmount(ctx, node.ID, path); err != nil {
			suite.Skip(suite.ByEnvironment, "%s could not be unmounted: %v", path, err)
		}
		lost++
	}
	if lost == 0 {
		suite.Skip(suite.ByEnvironment, "nothing is mounted where volumes are staged and published")
	}
}
