package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Kubernetes' external-provisioner strips its own keys from the parameters of CreateVolume, and not from those of
// GetCapacity. The specification lets a driver refuse what it does not know; its users would then have no
// CSIStorageCapacity.
func capacityWithSidecarParameters(s *harness.Suite) {
	labels := verdict.Case("capacity_with_sidecar_parameters", "CAP-04", "CAP-05")
	needs := harness.Needs{Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_CAPACITY}}
	s.Case("tells the same with the keys that external-provisioner leaves in the parameters", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.CapacityRequest(under.Z2)
		want := tell(ctx, under, asked)
		asked.Parameters = with(asked.GetParameters(), "csi.storage.k8s.io/fstype", under.Profile().FsType)

		got, err := under.Controller.GetCapacity(ctx, asked)
		switch {
		case err != nil:
			verdict.Warn("external-provisioner leaves csi.storage.k8s.io/fstype in the parameters of GetCapacity, which fails: %v (CAP-04)", err)
		case got.GetAvailableCapacity() == 0 && want.GetAvailableCapacity() > 0:
			verdict.Warn("external-provisioner leaves csi.storage.k8s.io/fstype in the parameters of GetCapacity, which then tells 0 bytes, not %d (CAP-04)", want.GetAvailableCapacity())
		}
	})
}
