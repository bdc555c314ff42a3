// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/logs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/secrets"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// secretsNotLogged uses, expands, modifies and snapshots a volume, as far as the driver supports it, with a separate secret
// for each call. No log may contain any of them, even if a call failed: the logs of the driver grade the driver, and the
// logs of its sidecars and of the kubelet grade the platform.
func secretsNotLogged() harness.Case {
	return harness.Case{
		ID:           "secrets_not_logged",
		Text:         "keeps the secrets of calls out of the logs of the driver, its sidecars and the kubelet",
		Requirements: []string{"GEN-23", "SEC-06"},
		Needs:        needs.All(needs.Zones(1), needs.Logs()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			began, at, carried := time.Now(), s.Zones(1)[0].Nodes[0], uses()
			modifies := needs.Met(ctx, s, needs.Modification()) && s.KubernetesIs("1.34")
			if modifies {
				carried = append(carried, use{parameter: "controller-modify", template: "modify-${pvc.name}", name: func(c *corev1.PersistentVolumeClaim) string { return "modify-" + c.Name }})
			}
			claim := claimWith(ctx, s, carried)
			values := map[string]string{snapshotter: secrets.Value(s, snapshotter), snapshotterList: secrets.Value(s, snapshotterList)}
			for _, u := range carried {
				values[u.parameter] = secrets.Value(s, u.name(claim))
			}

			var made suite.Outcome // of the calls, which other cases judge
			made.Run(func() {
				var attributes *storagev1.VolumeAttributesClass
				if modifies { // csi-resizer may not retry a class that it has not seen yet
					attributes = claims.CreateAttributes(ctx, s)
				}
				volume := mount(ctx, s, claim, at)
				if modifies {
					modify(ctx, s, claim, volume, attributes)
				}
				if _, others := secretIn(s.Target.SnapshotParameters); !others && needs.Met(ctx, s, needs.Snapshots()) {
					snapshots.MustDelete(ctx, s, takeWithSecrets(ctx, s, claim))
				}
				claims.MustDelete(ctx, s, claim, volume)
			})

			hidden := judgeLogs(ctx, s, began, at, values)
			switch {
			case !hidden || made.End == nil:
			case predicate.HasUnknownParameter(s.Events(), claim.UID):
				suite.Skip(suite.ByEnvironment, "names a secret by a parameter of the class that the csi-provisioner here does not know: %s", made.End.Message)
			case made.End.Verdict == suite.Skipped:
				suite.Reduced(ctx, "not all calls were made that carry a secret: %s", made.End.Message)
			default:
				suite.CouldNotTell("no log has a secret, but not all calls were made that carry one: %s", made.End.Message)
			}
		},
	}
}

// judgeLogs warns of each log that contains a secret, and reports whether none does.
func judgeLogs(ctx context.Context, s *harness.Scenario, began time.Time, at topology.Node, values map[string]string) (hidden bool) {
	all := logs.OfDriver(ctx, s, began, at.Name)
	if kubelet, ok := logs.OfKubelet(ctx, s, began, at.Name); ok {
		all = append(all, kubelet)
	}
	hidden = true
	read, ofDriver := map[string]int{}, 0
	for _, log := range all {
		read[log.Of] += len(log.Text)
		leaked := log.HidesSecrets(values)
		hidden = hidden && leaked == nil
		if log.Platform {
			s.PlatformCheck(ctx, "SEC-06", leaked)
			continue
		}
		ofDriver += len(log.Text)
		if leaked != nil {
			suite.Warn(ctx, "GEN-23", "%v", leaked)
		}
	}
	suite.Evidence(ctx, "bytes of logs", read)
	if ofDriver == 0 {
		suite.Reduced(ctx, "the driver's own containers have written nothing meanwhile")
	}
	return hidden
}

// modify names the VolumeAttributesClass in the claim, and waits for the volume to be modified.
func modify(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume, class *storagev1.VolumeAttributesClass) {
	change := map[string]any{"spec": map[string]any{"volumeAttributesClassName": class.Name}}
	s.Need(s.Patch(ctx, claim, change), "naming a VolumeAttributesClass in claim %s", claim.Name)
	s.Need(s.Within(ctx, s.Target.Timeouts.Expand, s.Look(claim, func() error {
		if err := s.Reread(ctx, volume); err != nil {
			return err
		}
		return predicate.HasAttributes(claim, volume, class.Name)
	})), "waiting for the volume to be modified")
}
