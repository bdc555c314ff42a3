package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// mustRestart deletes the driver's pods on its node, waits for the DaemonSet's new ones to be
// ready, and then for the driver to be registered there as the node that it was.
func (s *scenario) mustRestart(ctx context.Context, plugin *nodePlugin) {
	ginkgo.GinkgoHelper()
	var deleted []string
	for _, pod := range plugin.pods {
		deleted = append(deleted, pod.Namespace+"/"+pod.Name)
		s.need(s.resources().Delete(ctx, &pod), "deleting pod %s/%s", pod.Namespace, pod.Name)
	}
	limit := s.target.Timeouts.Restart
	s.until(ctx, limit, "driver's pods on node "+plugin.node.name+" replaced", func(ctx context.Context) error {
		now, err := s.podsOn(ctx, plugin.node)
		if err != nil {
			return err
		}
		return predicate.Replaced(plugin.pods, now)
	})
	var info *csi.NodeGetInfoResponse
	s.until(ctx, limit, "driver registered again on node "+plugin.node.name, func(ctx context.Context) (err error) {
		info, err = s.registration(ctx, plugin.node)
		return err
	})
	verdict.Evidence("restart on node "+plugin.node.name, map[string]any{"deletedPods": deleted, "NodeGetInfo": info})
	s.reconnect(ctx)
}

// registration wants the driver to answer on the node, under the id that it had when the case
// began, and the cluster to know what it answers. A CO may have asked for the id only once.
func (s *scenario) registration(ctx context.Context, at node) (*csi.NodeGetInfoResponse, error) {
	sockets, err := s.socketsOf(ctx, s.target.Node)
	if err != nil {
		return nil, err
	}
	socket, there := sockets[at.name]
	if !there {
		return nil, fmt.Errorf("no pod of the driver runs on node %s", at.name)
	}
	info, err := s.nodeInfo(ctx, socket)
	if err != nil {
		return nil, err
	}
	if info.GetNodeId() != at.id {
		return info, &predicate.Mismatch{
			Subject: "node_id on node " + at.name, Wanted: at.id + ", as before the restart", Found: info.GetNodeId(), Final: true,
		}
	}
	registered, labelled := &storagev1.CSINode{}, &corev1.Node{}
	registered.Name, labelled.Name = at.name, at.name
	if err := errors.Join(s.reread(ctx, registered), s.reread(ctx, labelled)); err != nil {
		return info, err
	}
	return info, predicate.SameTopology(s.target.Driver, registered, labelled, info.GetNodeId(), info.GetAccessibleTopology().GetSegments())
}

// reconnect connects to the driver's controllers again: one may have run in a pod that is
// gone.
func (s *scenario) reconnect(ctx context.Context) {
	ginkgo.GinkgoHelper()
	connected, err := s.connect(ctx)
	s.need(err, "connecting to the driver again")
	_ = s.driver.close()
	s.driver = connected
}

// mustGoOn wants the pod to be the one that was read last, with its containers running all the
// while.
func (s *scenario) mustGoOn(ctx context.Context, pod *corev1.Pod) {
	ginkgo.GinkgoHelper()
	before := pod.DeepCopy()
	s.need(s.reread(ctx, pod), "looking at the pod again")
	s.check(predicate.WentOn(before, pod))
}
