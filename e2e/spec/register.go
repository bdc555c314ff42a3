package spec

import (
	"github.com/csi-topo/csi-topo/e2e/spec/attach"
	"github.com/csi-topo/csi-topo/e2e/spec/capacity"
	"github.com/csi-topo/csi-topo/e2e/spec/general"
	"github.com/csi-topo/csi-topo/e2e/spec/generated"
	"github.com/csi-topo/csi-topo/e2e/spec/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/identity"
	"github.com/csi-topo/csi-topo/e2e/spec/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/node"
	"github.com/csi-topo/csi-topo/e2e/spec/placement"
	"github.com/csi-topo/csi-topo/e2e/spec/source"
	"github.com/csi-topo/csi-topo/e2e/spec/volume"
)

// Register declares the tier's cases.
func Register(s *harness.Suite) {
	for _, register := range []func(*harness.Suite){
		attach.Register,
		capacity.Register,
		general.Register,
		generated.Register,
		growth.Register,
		identity.Register,
		listing.Register,
		node.Register,
		placement.Register,
		source.Register,
		volume.Register,
	} {
		register(s)
	}
}
