package cluster

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// mounts are those of one volume on one node, where it is staged and published: the API
// server does not tell of them.
type mounts struct {
	s      *scenario
	volume *corev1.PersistentVolume
	// from is a pod that sees them as they come and go.
	from *corev1.Pod
	// before are the mount points when the watch began.
	before []string
}

// watchMounts begins to watch the mounts of a volume in use; the case is skipped where pods
// may not see what the kubelet has mounted.
func (s *scenario) watchMounts(ctx context.Context, plugin *nodePlugin, volume *corev1.PersistentVolume) *mounts {
	ginkgo.GinkgoHelper()
	from, err := s.createPod(ctx, workload.SleepingPod().OnNode(plugin.node.hostname).Seeing(plugin.kubeletDir))
	if apierrors.IsForbidden(err) {
		verdict.Skip(verdict.ByEnvironment, "needs a pod that sees the kubelet's mounts on its node: %v", err)
	}
	s.need(err, "creating a pod that sees mounts")
	s.need(s.poll(ctx, s.target.Timeouts.Run, s.look(from, func() error { return predicate.PodRuns(from) })), "waiting for the pod that sees mounts")
	m := &mounts{s: s, volume: volume, from: from}
	m.before, err = m.now(ctx)
	s.need(err, "looking for the volume's mounts")
	if len(m.before) == 0 {
		verdict.CouldNotTell("nothing below %s on node %s is mounted for volume %s, though a pod uses it", plugin.kubeletDir, plugin.node.name, volume.Name)
	}
	verdict.Evidence("mounts of "+volume.Name, m.before)
	return m
}

// now returns the volume's mount points below the kubelet's directory. Their paths hold the
// name of the volume or, where it is staged, the hash of its handle.
func (m *mounts) now(ctx context.Context) ([]string, error) {
	table, err := m.s.exec(ctx, m.from, "/bin/sh", "-c", "cat /proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	return predicate.MountPoints(table, m.volume.Name, fmt.Sprintf("%x", sha256.Sum256([]byte(handleOf(m.volume)))))
}

// mustRemain wants every mount that there was to be there still.
func (m *mounts) mustRemain(ctx context.Context) {
	ginkgo.GinkgoHelper()
	now, err := m.now(ctx)
	m.s.need(err, "looking for the volume's mounts")
	m.s.check(predicate.StillMounted(m.volume.Name, m.before, now))
}

// mustGo waits for the volume to be mounted nowhere.
func (m *mounts) mustGo(ctx context.Context) {
	ginkgo.GinkgoHelper()
	m.s.until(ctx, m.s.target.Timeouts.Detach, "volume "+m.volume.Name+" unmounted", func(ctx context.Context) error {
		now, err := m.now(ctx)
		if err != nil {
			return err
		}
		return predicate.NotMounted(m.volume.Name, now)
	})
}
