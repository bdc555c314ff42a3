// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/secrets"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Prefixes of a VolumeSnapshotClass's parameters for secrets, which are also the keys of the secrets.
const (
	snapshotter     = "snapshotter"
	snapshotterList = "snapshotter-list"
)

// secretsReachSnapshots shows that calls that create and delete a snapshot carry one secret of its class, and calls that
// look up a snapshot another. The snapshotter looks only for a snapshot that existed before its VolumeSnapshotContent.
func secretsReachSnapshots() harness.Case {
	return harness.Case{
		ID:           "secrets_reach_snapshots",
		Text:         "carries with each call about a snapshot the secret that its class names for it, and no other",
		Requirements: []string{"K8S-L4"},
		Needs:        needs.All(needs.OneProvisioner(), needs.Snapshots(), needs.Recorded(needs.Snapshotter)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
			claims.MustBind(ctx, s, claim)
			secrets.Grant(ctx, s)
			snapshot := takeWithSecrets(ctx, s, claim)
			listed := s.Driver.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) && snapshots.Adopt(ctx, s, snapshot)
			snapshots.MustDelete(ctx, s, snapshot)

			all, err := recorder.Calls(ctx, s)
			s.Need(err, "reading the recorded calls")
			about := predicate.CallsAbout(all, snapshot.Handle)
			calls := slices.Concat(predicate.Snapshots().Of(all, snapshot.Asked), about)
			suite.Evidence(ctx, "calls", calls)
			carried := map[string]string{"CreateSnapshot": snapshotter, "DeleteSnapshot": snapshotter, "ListSnapshots": snapshotterList}
			wanted := []string{"CreateSnapshot", "DeleteSnapshot"}
			if listed {
				wanted = append(wanted, "ListSnapshots")
			}
			for _, method := range wanted {
				s.Need(predicate.Called(calls, method), "looking for a call that every such snapshot needs")
				for _, call := range predicate.CallsOf(calls, method) {
					s.PlatformCheck(ctx, "K8S-L4", predicate.CarriesSecret(call, carried[method]))
					s.PlatformCheck(ctx, "K8S-L4", predicate.WithoutSecretParameters(call))
				}
			}
		},
	}
}

// takeWithSecrets takes a snapshot of the claim's volume, with a class that names two secrets.
func takeWithSecrets(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) snapshots.Snapshot {
	named := map[string]string{}
	for _, parameter := range []string{snapshotter, snapshotterList} {
		secrets.Create(ctx, s, parameter, parameter)
		named[prefix+parameter+"-secret-name"] = parameter
		named[prefix+parameter+"-secret-namespace"] = s.Namespace
	}
	snapshots.CreateClass(ctx, s, parametersWith(s, s.Target.SnapshotParameters, named))
	return snapshots.Take(ctx, s, claim)
}
