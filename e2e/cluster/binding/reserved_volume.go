// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// pair is a claim and a PersistentVolume, of which either or both name the other before they are bound.
type pair struct {
	name                    string
	claimNames, volumeNames bool
	size                    resource.Quantity
}

// reservedVolume creates four claims. A volume is reserved for the last one, though it is the smallest that fits and was
// created first: the other claims get other volumes. An annotation of each claim and volume says whether a controller bound
// it.
func reservedVolume() harness.Case {
	return harness.Case{
		ID:           "reserved_volume",
		Text:         "binds a claim and a volume that name each other, and records for every claim and volume whether a controller bound it",
		Requirements: []string{"K8S-P4"},
		Run: func(ctx context.Context, s *harness.Scenario) {
			small, large := resource.MustParse("1Gi"), resource.MustParse("2Gi")
			class := standin.Create(ctx, s, false).CreateClassAs(ctx, workload.Immediate())
			last := pair{"both-name", true, true, small}
			reserved := last.createVolume(ctx, s, class)
			for _, p := range []pair{{"claim-names", true, false, large}, {"volume-names", false, true, large}, {"none-names", false, false, large}} {
				if !p.mustBind(ctx, s, class, p.createVolume(ctx, s, class)) {
					return
				}
			}
			last.mustBind(ctx, s, class, reserved)
		},
	}
}

// createVolume creates the volume, and waits until it is available.
func (p pair) createVolume(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass) *corev1.PersistentVolume {
	built := workload.VolumeOf(class, s.Name("volume")).Size(p.size)
	if p.volumeNames {
		built.For(s.Namespace, p.name)
	}
	volume := claims.CreateVolume(ctx, s, built)
	claims.AwaitAvailable(ctx, s, volume)
	return volume
}

// mustBind creates the claim, and waits for it and the volume to be bound to each other, and to record by whom. It returns
// false, after a warning, if they are not.
func (p pair) mustBind(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass, volume *corev1.PersistentVolume) bool {
	const requirement = "K8S-P4"
	built := workload.ClaimOf(class).Size(resource.MustParse("1Gi")).Named(p.name)
	if p.claimNames {
		built.For(volume.Name)
	}
	claim := claims.CreateAs(ctx, s, built)
	if !s.PlatformMust(ctx, s.Target.Timeouts.Bind, requirement, "claim "+claim.Name+" bound to volume "+volume.Name, s.Look(claim, func() error {
		if err := s.Reread(ctx, volume); err != nil {
			return err
		}
		return predicate.BoundToEachOther(claim, volume)
	})) {
		return false
	}
	s.PlatformCheck(ctx, requirement, predicate.BoundBy("PersistentVolumeClaim", claim, !p.claimNames))
	s.PlatformCheck(ctx, requirement, predicate.BoundBy("PersistentVolume", volume, !p.volumeNames))
	return true
}
