// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/secrets"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// grouped is the label of the claims in a group snapshot.
const grouped = "csi-topo/grouped"

// groupSnapshotRestored snapshots two volumes of one zone together, because not every driver can do that across zones.
func groupSnapshotRestored() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_restored",
		Text:         "restores each snapshot of a group in its zone, with the data of its volume",
		Requirements: []string{"VGS-03", "VGS-09", "K8S-N6", "K8S-N7"},
		Needs:        needs.All(needs.Zones(1), needs.GroupSnapshots()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			texts := map[string]string{}
			source := map[string]*corev1.PersistentVolumeClaim{}
			for _, text := range []string{s.Namespace + "-one", s.Namespace + "-two"} {
				claim := member(ctx, s, class)
				write(ctx, s, claim, zone, text)
				handle := harness.HandleOf(claims.VolumeOf(ctx, s, claim))
				texts[handle], source[handle] = text, claim
			}

			group, all := snapshots.TakeGroup(ctx, s, grouped, s.Namespace, slices.Collect(maps.Keys(texts)), nil)
			if !all {
				return
			}
			for _, snapshot := range group.Members {
				size := sizeOf(ctx, s, source[snapshot.Volume], snapshot)
				restored, pod := copyOf(ctx, s, class, content{reference: snapshot.Reference(), size: size}, zone)
				claims.MustBindIn(ctx, s, restored, zone)
				pods.MustRunIn(ctx, s, pod, zone)
				data.MustRead(ctx, s, pod, texts[snapshot.Volume])
			}
		},
	}
}

// groupSnapshotCalls leaves the volumes unused: only the calls for the group, and their content, are checked.
func groupSnapshotCalls() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_calls",
		Text:         "creates a group snapshot of the volumes that the selector matches, and deletes it as a group, with one secret for all of its calls",
		Requirements: []string{"VGS-03", "VGS-21", "VGS-34", "SN-11", "K8S-N6", "K8S-N8"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Recorded(needs.Snapshotter), needs.GroupSnapshots()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const prefix, name, key = "csi.storage.k8s.io/group-snapshotter", "group", "group-key"
			for given := range s.Target.GroupSnapshotParameters {
				if strings.HasPrefix(given, prefix) {
					suite.Skip(suite.ByProfile, "gives the driver the case's own secrets, but the profile says that its group snapshots need others: %s", given)
				}
			}
			secrets.Grant(ctx, s)
			secrets.Create(ctx, s, name, key)
			zone := s.Zones(1)[0]
			class := claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(zone.Segment))
			var volumes []string
			for range 2 {
				volumes = append(volumes, harness.HandleOf(claims.MustBindIn(ctx, s, member(ctx, s, class), zone)))
			}
			other := claims.Create(ctx, s, class) // the selector does not match it
			claims.MustBindIn(ctx, s, other, zone)

			group, whole := snapshots.TakeGroup(ctx, s, grouped, s.Namespace, volumes, map[string]string{
				prefix + "-secret-name": name, prefix + "-secret-namespace": s.Namespace,
				prefix + "-get-secret-name": name, prefix + "-get-secret-namespace": s.Namespace,
			})
			if !whole {
				return
			}
			snapshots.MustDeleteGroup(ctx, s, group)

			var ids []string
			for _, member := range group.Members {
				ids = append(ids, member.Handle)
			}
			all, err := recorder.Calls(ctx, s)
			s.Need(err, "reading the recorded calls")
			calls := predicate.GroupCallsOf(all, group.Handle, ids)
			suite.Evidence(ctx, "calls", calls)
			s.PlatformCheck(ctx, "K8S-N6", calls.Made(volumes))
			s.PlatformCheck(ctx, "K8S-N8", calls.Deleted(ids))
			s.PlatformCheck(ctx, "SN-11", calls.NoneAlone())
			for _, call := range calls.All() {
				s.PlatformCheck(ctx, "VGS-34", predicate.CarriesSecret(call, key))
			}
			if s.Driver.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) {
				for _, snapshot := range group.Members {
					snapshots.ShouldNotList(ctx, s, snapshot)
				}
			}
		},
	}
}

// member creates a claim that the case's group snapshot includes.
func member(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass) *corev1.PersistentVolumeClaim {
	return claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).Labelled(grouped, s.Namespace))
}
