// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/e2e-framework/klient"
	"sigs.k8s.io/e2e-framework/klient/wait"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/cluster/nodeutils"

	"golang.org/x/sync/errgroup"
)

const (
	podRangesWithin = 60 * time.Second
	poll            = 500 * time.Millisecond
)

// ConnectPods gives every node of a built image its pod network, and the routes to the pods of other nodes.
func (c *Cluster) ConnectPods(ctx context.Context) error {
	containers, err := c.Nodes()
	if err != nil {
		return err
	}
	ranges, err := c.podRanges(ctx, len(containers))
	if err != nil {
		return err
	}
	routes := strings.Builder{}
	for _, node := range containers {
		ip, _, err := node.IP()
		if err != nil {
			return fmt.Errorf("finding the address of node %s: %w", node, err)
		}
		_, _ = fmt.Fprintf(&routes, "[ %s = \"$1\" ] || ip route replace %s via %s\n", node, ranges[node.String()], ip)
	}
	var each errgroup.Group
	for _, node := range containers {
		each.Go(func() error { return connectNode(ctx, node, ranges[node.String()], routes.String()) })
	}
	return each.Wait()
}

func connectNode(ctx context.Context, node nodes.Node, podRange, routes string) error {
	if err := node.CommandContext(ctx, "sh", "-euc", routes, "sh", node.String()).Run(); err != nil {
		return fmt.Errorf("adding routes to other nodes' pods on %s: %w", node, err)
	}
	if err := nodeutils.WriteFile(node, "/etc/cni/net.d/10-csi-topo.conflist", podNetwork(podRange)); err != nil {
		return fmt.Errorf("configuring the pod network of %s: %w", node, err)
	}
	return nil
}

// podRanges waits for the control plane to give each node its range of pod addresses.
func (c *Cluster) podRanges(ctx context.Context, want int) (map[string]string, error) {
	client, err := klient.NewWithKubeConfigFile(c.kubeconfig())
	if err != nil {
		return nil, fmt.Errorf("connecting to kind cluster %s: %w", c.options.Name, err)
	}
	ranges := map[string]string{}
	err = wait.For(func(ctx context.Context) (bool, error) {
		list := corev1.NodeList{}
		if err := client.Resources().List(ctx, &list); err != nil {
			return false, fmt.Errorf("listing nodes: %w", err)
		}
		for _, node := range list.Items {
			if node.Spec.PodCIDR != "" {
				ranges[node.Name] = node.Spec.PodCIDR
			}
		}
		return len(ranges) == want, nil
	}, wait.WithContext(ctx), wait.WithTimeout(podRangesWithin), wait.WithInterval(poll), wait.WithImmediate())
	if err != nil {
		return nil, fmt.Errorf("waiting for %d nodes to have a range of pod addresses, %d have: %w", want, len(ranges), err)
	}
	return ranges, nil
}
