package kind

import (
	"context"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/kind/pkg/cluster/constants"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/cluster/nodeutils"
)

// loadsAtOnce is how many archives are unpacked side by side: the disk is the limit.
const loadsAtOnce = 4

// LoadArchives loads image archives into the control-plane nodes, or into every node.
func (c *Cluster) LoadArchives(ctx context.Context, controlPlaneOnly bool, archives ...string) error {
	list, err := c.Nodes()
	if err != nil {
		return err
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
				return loadArchive(node, archive)
			})
		}
	}
	return each.Wait()
}

func loadArchive(node nodes.Node, archive string) error {
	content, err := os.Open(archive)
	if err != nil {
		return fmt.Errorf("loading images: %w", err)
	}
	defer func() { _ = content.Close() }()
	if err := nodeutils.LoadImageArchive(node, content); err != nil {
		return fmt.Errorf("loading %s into node %s: %w", archive, node, err)
	}
	return nil
}
