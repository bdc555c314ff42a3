// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"context"
	"path"
	"time"

	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// patience is the time limit for creating or removing a directory: csi-sanity passes no context.
const patience = 10 * time.Second

// onNode creates csi-sanity's directories on the node.
type onNode struct {
	paths harness.Paths
	node  string
}

func (n onNode) make(dir string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return dir, n.paths.Make(ctx, n.node, dir)
}

func (n onNode) remove(dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := n.paths.Remove(ctx, n.node, dir); err != nil {
		return err
	}
	// This is the parent of both directories, which may still contain the other one.
	_ = n.paths.Remove(ctx, n.node, path.Dir(dir))
	return nil
}

func (n onNode) check(at string) (sanity.PathKind, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	found, err := n.paths.Exists(ctx, n.node, at)
	switch {
	case err != nil:
		suite.CouldNotTell("whether node %s has %s could not be asked: %v", n.node, at, err)
		return "", err
	case !found:
		return sanity.PathIsNotFound, nil
	default:
		return sanity.PathIsOther, nil
	}
}
