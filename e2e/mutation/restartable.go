// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// Restartable runs the correct driver so that it can be stopped and restarted at the same endpoints, with its records and
// its back end unchanged. A fault is in front of it, and is not restarted.
type Restartable struct {
	options embedded.Options
	driver  *embedded.Driver // nil while it does not run
}

// Start starts the driver.
func (r *Restartable) Start(ctx context.Context) error {
	driver, err := embedded.Start(context.WithoutCancel(ctx), r.options)
	if err != nil {
		return err
	}
	r.driver, r.options.Volumes = driver, driver.Volumes
	return nil
}

// Stop ends the driver if it runs.
func (r *Restartable) Stop() error {
	if r.driver == nil {
		return nil
	}
	stopped := r.driver
	r.driver = nil
	return stopped.Stop()
}

// Controller returns the controller of the driver, which must be running.
func (r *Restartable) Controller() (csi.ControllerClient, error) {
	conn, err := wire.Dial(r.driver.Controller)
	if err != nil {
		return nil, err
	}
	return csi.NewControllerClient(conn), nil
}

// restart returns the function that restarts the driver.
func (d Driver) restart(restarted *Restartable) func(context.Context) error {
	return func(ctx context.Context) error {
		if d.Restarting != nil {
			return d.Restarting(ctx, restarted)
		}
		if err := restarted.Stop(); err != nil {
			return err
		}
		return restarted.Start(ctx)
	}
}
