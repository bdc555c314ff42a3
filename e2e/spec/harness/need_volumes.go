// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Volumes needs the given number of volumes of the profile's size in each segment that the case uses, and the room for
// them if GET_CAPACITY reports it.
func Volumes(each int) []Need {
	if each == 0 {
		return nil
	}
	return Needs(Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME), need("", suite.ByCapability, func(d *Driver) string {
		d.demand.volumes = max(d.demand.volumes, each)
		return ""
	}))
}

// Segments needs the given number of topology segments with the kinds of volume that the case creates.
func Segments(fewest int) []Need {
	return Needs(ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS), need("", suite.ByProfile, func(d *Driver) string {
		d.demand.segments = max(d.demand.segments, fewest)
		return unless(len(d.Room.Segments) < fewest || len(d.Room.Usable) >= fewest,
			"topology segments with the kinds of volume that the case creates: %d, and the case needs %d: %s", len(d.Room.Usable), fewest, d.Room.Usable)
	}), need(fmt.Sprintf("segments=%d", fewest), suite.ByEnvironment, func(d *Driver) string {
		return unless(len(d.Room.Segments) >= fewest,
			"topology segments that the driver has: %d, and the case needs %d: %s%s", len(d.Room.Segments), fewest, d.Room.Segments, howToKnowMore(d))
	}))
}

// howToKnowMore explains how to make more segments known, if there may be any.
func howToKnowMore(d *Driver) string {
	if len(d.Profile().Segments) > 0 {
		return ""
	}
	if len(d.Nodes) == 0 {
		return "; no node endpoint was given, and the first volumes name no others: if the driver has more segments, name a node endpoint in each, or list the segments in the profile"
	}
	return "; if it has more than the node endpoints report, name one endpoint in each, or list the segments in the profile"
}

// Shows declares that the case shows all of its subject with the given number of segments. With fewer it runs and
// reports so. A driver without any has no more to show.
func Shows(segments int) []Need {
	return []Need{{By: suite.ByEnvironment, Missing: func(ctx context.Context, d *Driver) string {
		d.demand.segments = max(d.demand.segments, segments)
		if got := len(d.Room.Usable); 0 < got && got < segments {
			suite.Reduced(ctx, "shown with %d of the %d topology segments that the full case uses", got, segments)
		}
		return ""
	}}}
}

// AccessibleFrom needs volumes that are accessible from the given number of topologies, and restricts the case to
// segments that have such volumes.
func AccessibleFrom(topologies int) []Need {
	if topologies <= 1 {
		return nil // every driver has these
	}
	return Needs(need("", suite.ByCapability, func(d *Driver) string {
		if d.Room.Makes(topologies) {
			d.keepTo(d.Room.Having(topologies))
		}
		return ""
	}), need(fmt.Sprintf("accessible-from=%d", topologies), suite.ByProfile, func(d *Driver) string {
		return unless(d.Room.Makes(topologies), "the profile has no volumes that are accessible from %d topologies", topologies)
	}))
}

// Mount needs volumes with file systems. A case that needs neither them nor raw block volumes uses the driver's
// Capability.
func Mount() []Need {
	return need("mount", suite.ByProfile, func(d *Driver) string {
		return unless(d.Profile().HasMount(), "the profile says that the driver has no volumes with file systems")
	})
}

// Block needs raw block volumes.
func Block() []Need {
	return need("block", suite.ByProfile, func(d *Driver) string {
		return unless(d.Profile().Block, "the profile says that the driver has no raw block volumes")
	})
}
