// SPDX-License-Identifier: Apache-2.0

package environment

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/csi-topo/csi-topo/clusters/kind"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
)

// removeLeft deletes the clusters of runs that were killed, or whose machine was turned off: clusters that were not kept
// and that no run is using. own is the state of the cluster with this run's name, or nil. If a cluster with another name
// cannot be deleted, the error is printed and the run goes on, because it does not need that name.
func (e *Environment) removeLeft(ctx context.Context, own *kind.State) error {
	if own != nil && !own.Kept {
		if err := e.removeLeftCluster(ctx, e.Name); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(e.plan.cache.Path("clusters"))
	if err != nil {
		return fmt.Errorf("listing the clusters of earlier runs: %w", err)
	}
	for _, entry := range entries {
		if !entry.IsDir() || entry.Name() == e.Name {
			continue
		}
		release, err := e.plan.lockName(entry.Name())
		if err != nil {
			continue // A run is using it.
		}
		state, err := kind.New(e.clusterOptions(entry.Name(), &nodeimage.Images{}, io.Discard)).Running()
		if err == nil && state != nil && !state.Kept {
			_ = e.removeLeftCluster(ctx, entry.Name()) // The progress shows the error.
		}
		release()
	}
	return ctx.Err()
}

func (e *Environment) removeLeftCluster(ctx context.Context, name string) error {
	return e.Progress.Step(ctx, fmt.Sprintf("deleting kind cluster %s, left by a run that was killed", name), func(ctx context.Context, log io.Writer) error {
		return kind.New(e.clusterOptions(name, &nodeimage.Images{}, log)).Destroy(ctx)
	})
}
