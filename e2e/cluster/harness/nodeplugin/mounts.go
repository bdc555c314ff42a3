// SPDX-License-Identifier: Apache-2.0

package nodeplugin

import (
	"context"
	"crypto/sha256"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Mounts are the mount points at which one volume is staged and published on one node. The API server does not show them.
type Mounts struct {
	s      *harness.Scenario
	volume *corev1.PersistentVolume
	// from is a pod that sees mounts appear and disappear.
	from *corev1.Pod
	// before are the mount points when the watch began.
	before []string
}

// WatchMounts begins to watch the mounts of a volume in use; the case is skipped if pods may not see the
// kubelet's mounts.
func WatchMounts(ctx context.Context, s *harness.Scenario, plugin *Plugin, volume *corev1.PersistentVolume) *Mounts {
	m := WatchAnyMounts(ctx, s, plugin, volume)
	if len(m.before) == 0 {
		suite.CouldNotTell("nothing below %s on node %s is mounted for volume %s, though a pod uses it", plugin.kubeletDir, plugin.node.Name, volume.Name)
	}
	return m
}

// WatchAnyMounts watches the mounts of a volume like WatchMounts, but there may be none.
func WatchAnyMounts(ctx context.Context, s *harness.Scenario, plugin *Plugin, volume *corev1.PersistentVolume) *Mounts {
	from, err := pods.TryCreate(ctx, s, workload.SleepingPod().OnNode(plugin.node.Hostname).Seeing(plugin.kubeletDir))
	if apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "needs a pod that sees the kubelet's mounts on its node: %v", err)
	}
	s.Need(err, "creating a pod that sees mounts")
	s.Need(s.Within(ctx, s.Target.Timeouts.Run, s.Look(from, func() error { return predicate.PodRuns(from) })), "waiting for the pod that sees mounts")
	m := &Mounts{s: s, volume: volume, from: from}
	m.before, err = m.now(ctx)
	s.Need(err, "looking for the volume's mounts")
	suite.Evidence(ctx, "mounts of "+volume.Name, m.before)
	return m
}

// now returns the volume's mount points below the kubelet's directory. Their paths contain the name of
// the volume or, if it is staged, the hash of its handle.
func (m *Mounts) now(ctx context.Context) ([]string, error) {
	table, err := pods.Exec(ctx, m.s, m.from, "/bin/sh", "-c", "cat /proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	return predicate.MountPoints(table, m.volume.Name, fmt.Sprintf("%x", sha256.Sum256([]byte(harness.HandleOf(m.volume)))))
}

// MustRemain fails the case unless every earlier mount is still there.
func (m *Mounts) MustRemain(ctx context.Context) {
	m.s.Check(m.Remain(ctx))
}

// Remain returns a mismatch if an earlier mount is no longer there.
func (m *Mounts) Remain(ctx context.Context) error {
	now, err := m.now(ctx)
	m.s.Need(err, "looking for the volume's mounts")
	return predicate.StillMounted(m.volume.Name, m.before, now)
}

// MustGo waits for the volume to be mounted nowhere.
func (m *Mounts) MustGo(ctx context.Context) {
	m.s.Until(ctx, m.s.Target.Timeouts.Detach, "volume "+m.volume.Name+" unmounted", func(ctx context.Context) error {
		now, err := m.now(ctx)
		if err != nil {
			return err
		}
		return predicate.NotMounted(m.volume.Name, now)
	})
}
