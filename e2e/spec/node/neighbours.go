// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"
	"path"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// written is the text that the cases write to the volume that they check, and writtenElsewhere the text for another
// volume.
const (
	written          = "written by csi-topo"
	writtenElsewhere = "written to another volume by csi-topo"
)

// neighbours returns the cases about two volumes at paths where one is the beginning of the other. A plugin that
// compares the beginnings of paths mistakes one volume for the other.
func neighbours() []harness.Case {
	two := harness.Needs(harness.Nodes(1), harness.Volumes(2), harness.Attaches(2))
	return []harness.Case{{
		ID:           "unpublish_leaves_neighbour",
		Text:         "leaves a volume where it is when another is unpublished from a path that is a prefix of its own",
		Requirements: []string{"NS-16", "NS-19", "NS-20", "NS-29", "GEN-05"},
		Needs:        harness.Needs(two, harness.RealNodes()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			one, other := needTwoStaged(ctx, node)
			other.TargetPath = beginningAs(ctx, node, one.GetTargetPath())
			harness.NeedOK(one, publish(ctx, node, one))
			harness.NeedOK(other, publish(ctx, node, other))
			expectOwnHealth(ctx, node, one, other)
			unpublishOne(ctx, node, one, other)
		},
	}, {
		// Longer paths need not be accepted. If one is, the volume must be there.
		ID:           "long_paths_differ",
		Text:         "distinguishes target paths that differ only after 128 bytes, or refuses them",
		Requirements: []string{"NS-16", "NS-19", "NS-20", "NS-29"},
		Needs:        harness.Needs(two, harness.RealNodes()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const same = 128
			node := driver.Nodes[0]
			one, other := needTwoStaged(ctx, node)
			one.TargetPath = path.Join(node.LongPath(ctx, same), "target")
			other.TargetPath = beginningAs(ctx, node, one.GetTargetPath())
			for _, request := range []*csi.NodePublishVolumeRequest{one, other} {
				if publish(ctx, node, request) != nil {
					suite.Skip(suite.ByCapability, "the plugin refuses a target_path of more than 128 bytes, as it may")
				}
			}
			publishOnceMore(ctx, node, one, beginningAs(ctx, node, other.GetTargetPath()))
			unpublishOne(ctx, node, one, other)
		},
	}, {
		ID:           "unstage_leaves_neighbour",
		Text:         "leaves a volume staged when another is unstaged from a path that is a prefix of its own",
		Requirements: []string{"NS-06", "NS-20", "NS-19"},
		Needs:        harness.Needs(two, needsStaging()),
		Run:          unstageOne,
	}}
}

// needTwoStaged stages two volumes, and returns the requests to publish them.
func needTwoStaged(ctx context.Context, node *harness.Node) (one, other *csi.NodePublishVolumeRequest) {
	next := func() *csi.NodePublishVolumeRequest {
		return publication.Request(ctx, node, publication.Stage(ctx, node, node.Driver.NeedVolume(ctx, node.Driver.VolumeFor(node))))
	}
	return next(), next()
}

// beginningAs makes the parent of another path, which begins with the same text and is not below the first. It is in a
// separate directory: a plugin may keep files beside a path.
func beginningAs(ctx context.Context, node *harness.Node, one string) string {
	paths, dir := node.Driver.Target.Paths, one+"2"
	other := path.Join(dir, path.Base(one))
	harness.UndoLater(node.Driver, "directory "+dir+" of "+node.String(), func(ctx context.Context) error {
		if err := paths.Remove(ctx, node.ID, other); err != nil {
			return err
		}
		return paths.Remove(ctx, node.ID, dir)
	})
	if err := paths.Make(ctx, node.ID, dir); err != nil {
		suite.CouldNotTell("making the directory %s of %s: %v", dir, node, err)
	}
	return other
}

// expectOwnHealth asks for the health of each volume without its paths, which are OPTIONAL, if the node reports health.
func expectOwnHealth(ctx context.Context, node *harness.Node, volumes ...*csi.NodePublishVolumeRequest) {
	for _, published := range volumes {
		if !node.Claims(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH) {
			return
		}
		response, err := node.NodeGetVolumeHealth(attempt.Tolerant(ctx), &csi.NodeGetVolumeHealthRequest{VolumeId: published.GetVolumeId()})
		got := response.GetVolumeHealth().GetVolumeId()
		suite.Must("GEN-05", err != nil || got == published.GetVolumeId(), "volume_health, which is REQUIRED, is that of the requested volume: NodeGetVolumeHealth of volume %s without paths is about %q", published.GetVolumeId(), got)
	}
}

// publishOnceMore publishes the volume at a second path, and expects it there unless that is refused.
func publishOnceMore(ctx context.Context, node *harness.Node, one *csi.NodePublishVolumeRequest, at string) {
	second := proto.CloneOf(one)
	second.TargetPath = at
	if publish(ctx, node, second) != nil {
		return
	}
	suite.Must(data.Clause(second), node.Exists(ctx, at), "volume %s is published at %s, NodePublishVolume at %s was OK as well, and nothing is there", one.GetVolumeId(), one.GetTargetPath(), at)
	harness.NeedOK(second, unpublish(ctx, node, second))
}

// unpublishOne unpublishes one of two volumes, and expects the other to be where it is published, with its data.
func unpublishOne(ctx context.Context, node *harness.Node, one, other *csi.NodePublishVolumeRequest) {
	for _, published := range []*csi.NodePublishVolumeRequest{one, other} {
		suite.Must(data.Clause(published), node.Exists(ctx, published.GetTargetPath()), "volume %s was published, and nothing is at target_path, %s: the plugin creates it. If the nodes do not share this file system, name programs in the profile's directories",
			published.GetVolumeId(), published.GetTargetPath())
	}
	shows := data.ShowsData(node.Driver)
	if shows {
		data.Write(ctx, node, other, written)
		data.Write(ctx, node, one, writtenElsewhere)
		got := data.Read(ctx, node, other)
		suite.Must(data.Clause(other), got == written, "volume %s is published at %s, and volume %s at %s, where %q was written and %q is read: the plugin places each volume at its own target_path",
			one.GetVolumeId(), one.GetTargetPath(), other.GetVolumeId(), other.GetTargetPath(), written, got)
	}

	harness.ExpectOK("NS-16", unpublish(ctx, node, one), "NodeUnpublishVolume undoes what NodePublishVolume did")

	why := fmt.Sprintf("NodeUnpublishVolume of volume %s from %s undoes what NodePublishVolume did there, and volume %s is still published at %s",
		one.GetVolumeId(), one.GetTargetPath(), other.GetVolumeId(), other.GetTargetPath())
	suite.Must("NS-16", node.Exists(ctx, other.GetTargetPath()), "%s, but nothing is there any more", why)
	suite.Must("NS-29", !node.Exists(ctx, one.GetTargetPath()), "%s; something is still at %s: the plugin deletes what it created", why, one.GetTargetPath())
	if shows {
		got := data.Read(ctx, node, other)
		suite.Must("NS-16", got == written, "%s, where %q was written before, and %q is read after it", why, written, got)
	}
}

// unstageOne unstages one of two volumes, and expects the other to be published from where it is staged.
func unstageOne(ctx context.Context, driver *harness.Driver) {
	node := driver.Nodes[0]
	one := publication.Stage(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	shows := data.ShowsData(driver)
	if shows {
		data.WriteTo(ctx, node, volume, written)
		data.NeedKept(ctx, node, volume, written)
	}
	other := publication.StageRequest(ctx, node, volume, publication.Attach(ctx, driver, volume, node))
	other.StagingTargetPath = beginningAs(ctx, node, one.GetStagingTargetPath())
	if err := driver.Target.Paths.Make(ctx, node.ID, other.GetStagingTargetPath()); err != nil {
		suite.CouldNotTell("making the directory %s of %s: %v", other.GetStagingTargetPath(), node, err)
	}
	harness.NeedOK(other, stage(ctx, node, other))

	harness.ExpectOK("NS-06", unstage(ctx, node, one), "NodeUnstageVolume undoes what NodeStageVolume did")

	why := fmt.Sprintf("NodeUnstageVolume of volume %s from %s undoes what NodeStageVolume did there, and volume %s is still staged at %s",
		one.GetVolumeId(), one.GetStagingTargetPath(), other.GetVolumeId(), other.GetStagingTargetPath())
	left := data.IsStaged(ctx, node, one)
	suite.Must("NS-06", left == "", "%s; the volume that was unstaged is still where it was: %s", why, left)
	published := publication.Request(ctx, node, other)
	err := publish(ctx, node, published)
	if status.Code(err) == codes.ResourceExhausted {
		harness.NeedOK(published, err)
	}
	suite.Must("NS-06", err == nil, "%s, from where NodePublishVolume is refused\ngot: %s", why, describe.Status(err))
	if shows {
		got := data.Read(ctx, node, published)
		suite.Must("NS-06", got == written, "%s; it is published from there, and has %q instead of %q", why, got, written)
	}
}
