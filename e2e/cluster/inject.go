// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// Inject activates the options' Rules on a cluster while during runs, and then removes them, even if ctx has ended. So
// another suite tests the same driver as the cases would.
func Inject(ctx context.Context, o Options, during func(context.Context) error) error {
	described, err := o.described()
	if err != nil {
		return err
	}
	on, err := o.existing(ctx)
	if err != nil {
		return err
	}
	target := &harness.Target{}
	if err := o.fill(target, described, on); err != nil {
		return err
	}
	takeBack, err := target.Inject(ctx, o.Rules)
	if err != nil {
		return fmt.Errorf("injecting rules: %w", err)
	}
	return errors.Join(during(ctx), within(ctx, takeBack))
}
