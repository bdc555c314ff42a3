// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/attach"
	"github.com/csi-topo/csi-topo/e2e/spec/capacity"
	"github.com/csi-topo/csi-topo/e2e/spec/general"
	"github.com/csi-topo/csi-topo/e2e/spec/groupsnapshot"
	"github.com/csi-topo/csi-topo/e2e/spec/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/identity"
	"github.com/csi-topo/csi-topo/e2e/spec/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/metadata"
	"github.com/csi-topo/csi-topo/e2e/spec/node"
	"github.com/csi-topo/csi-topo/e2e/spec/placement"
	"github.com/csi-topo/csi-topo/e2e/spec/restart"
	"github.com/csi-topo/csi-topo/e2e/spec/secrets"
	"github.com/csi-topo/csi-topo/e2e/spec/sequence"
	"github.com/csi-topo/csi-topo/e2e/spec/source"
	"github.com/csi-topo/csi-topo/e2e/spec/together"
	"github.com/csi-topo/csi-topo/e2e/spec/volume"
	"github.com/csi-topo/csi-topo/e2e/spec/whole"
)

// Areas returns all of the tier's cases, in the order of the report.
func Areas() []harness.Area {
	return slices.Concat(
		attach.Areas(), capacity.Areas(), general.Areas(), sequence.Areas(), groupsnapshot.Areas(), growth.Areas(), identity.Areas(),
		listing.Areas(), metadata.Areas(), node.Areas(), placement.Areas(), restart.Areas(), secrets.Areas(), source.Areas(), together.Areas(), volume.Areas(),
		whole.Areas(),
	)
}
