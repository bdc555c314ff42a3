// SPDX-License-Identifier: Apache-2.0

// Package kubernetes finds the topology segment of each node of the cluster. It knows nodes and their labels, but no
// volumes.
package kubernetes

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// Timeouts of OwnSegment. On a fresh node the API server is often out of reach
// until the node's network is set up, which takes seconds.
const (
	ownSegmentTimeout = 2 * time.Minute
	requestTimeout    = 5 * time.Second
	requestInterval   = time.Second
)

// segmentOf returns the segment of the node according to its well-known labels; false for a node without both labels,
// which gets no volumes.
func segmentOf(node *corev1.Node) (topology.Segment, bool) {
	region, zone := node.Labels[corev1.LabelTopologyRegion], node.Labels[corev1.LabelTopologyZone]
	if region == "" || zone == "" {
		return nil, false
	}
	return topology.Segment{topology.RegionKey: region, topology.ZoneKey: zone}, true
}

// NodeSegment returns the segment of a node whose volumes are local to it.
func NodeSegment(nodeName string) topology.Segment {
	return topology.Segment{topology.NodeKey: nodeName}
}

// OwnSegment returns the segment of the named node. It waits for an API server that cannot be reached yet, but not for
// labels, which an administrator has to set.
func OwnSegment(ctx context.Context, client kubernetes.Interface, nodeName string) (topology.Segment, error) {
	var node *corev1.Node
	var lastErr error
	err := wait.PollUntilContextTimeout(ctx, requestInterval, ownSegmentTimeout, true, func(ctx context.Context) (bool, error) {
		ctx, cancel := context.WithTimeout(ctx, requestTimeout)
		defer cancel()
		node, lastErr = client.CoreV1().Nodes().Get(ctx, nodeName, metav1.GetOptions{})
		if apierrors.IsNotFound(lastErr) || apierrors.IsForbidden(lastErr) {
			return false, lastErr
		}
		if lastErr != nil {
			klog.FromContext(ctx).Info("the API server does not answer yet", "node", nodeName, "reason", lastErr.Error())
		}
		return lastErr == nil, nil
	})
	if err != nil && lastErr == nil {
		lastErr = err
	}
	if lastErr != nil {
		return nil, fmt.Errorf("reading the labels of node %s: %w", nodeName, lastErr)
	}
	segment, labelled := segmentOf(node)
	if !labelled {
		return nil, fmt.Errorf("node %s lacks a label: it needs both %s and %s, and has %q and %q",
			nodeName, corev1.LabelTopologyRegion, corev1.LabelTopologyZone,
			node.Labels[corev1.LabelTopologyRegion], node.Labels[corev1.LabelTopologyZone])
	}
	return segment, nil
}
