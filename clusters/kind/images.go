// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/kind/pkg/cluster/constants"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/cluster/nodeutils"
)

// loadsAtOnce is the number of archives that are unpacked concurrently: the disk is the limit.
const loadsAtOnce = 4

// LoadArchives loads image archives into the control-plane nodes, or into every node.
func (c *Cluster) LoadArchives(ctx context.Context, controlPlaneOnly bool, archives ...string) error {
	list, err := c.Nodes()
	if err != nil {
		return err
	}
	digests := map[string]string{}
	for _, archive := range archives {
		if digests[archive], err = digestOf(archive); err != nil {
			return err
		}
	}
	var each errgroup.Group
	each.SetLimit(loadsAtOnce)
	for _, node := range list {
		role, err := node.Role()
		if err != nil {
			return fmt.Errorf("finding the role of node %s: %w", node, err)
		}
		if controlPlaneOnly && role != constants.ControlPlaneNodeRoleValue {
			continue
		}
		for archive := range slices.Values(archives) {
			each.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				return loadArchive(ctx, node, archive, digests[archive])
			})
		}
	}
	return each.Wait()
}

func digestOf(archive string) (string, error) {
	content, err := os.Open(archive)
	if err != nil {
		return "", fmt.Errorf("loading images: %w", err)
	}
	defer func() { _ = content.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return "", fmt.Errorf("reading %s: %w", archive, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// loadArchive loads the archive with this digest if it was not loaded before. A file in the node records that, and lasts
// as long as the images: kind's kubelets do not remove images.
func loadArchive(ctx context.Context, node nodes.Node, archive, digest string) error {
	loaded := "/var/lib/containerd/csi-topo-loaded-" + digest
	if node.CommandContext(ctx, "test", "-e", loaded).Run() == nil {
		return nil
	}
	content, err := os.Open(archive)
	if err != nil {
		return fmt.Errorf("loading images: %w", err)
	}
	defer func() { _ = content.Close() }()
	if err := nodeutils.LoadImageArchive(node, content); err != nil {
		return fmt.Errorf("loading %s into node %s: %w", archive, node, err)
	}
	if err := node.CommandContext(ctx, "touch", loaded).Run(); err != nil {
		return fmt.Errorf("recording that node %s has %s: %w", node, archive, err)
	}
	return nil
}
