// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Process is the driver that is right, as something that ends and starts again: at the same endpoints, with its records and
// its back end as it left them. A fault, which is in front of it, does not end with it.
type Process struct {
	options embedded.Options
	driver  *embedded.Driver // nil while it does not run
}

// Start starts the driver.
func (p *Process) Start(ctx context.Context) error {
	driver, err := embedded.Start(context.WithoutCancel(ctx), p.options)
	if err != nil {
		return err
	}
	p.driver, p.options.Volumes = driver, driver.Volumes
	return nil
}

// Stop ends the driver if it runs.
func (p *Process) Stop() error {
	if p.driver == nil {
		return nil
	}
	stopped := p.driver
	p.driver = nil
	return stopped.Stop()
}

// Controller is the controller of the driver, which runs.
func (p *Process) Controller() (csi.ControllerClient, error) {
	conn, err := harness.Dial(p.driver.Controller)
	if err != nil {
		return nil, err
	}
	return csi.NewControllerClient(conn), nil
}

// restart is how the driver is restarted.
func (d Driver) restart(process *Process) func(context.Context) error {
	return func(ctx context.Context) error {
		if d.Restarting != nil {
			return d.Restarting(ctx, process)
		}
		if err := process.Stop(); err != nil {
			return err
		}
		return process.Start(ctx)
	}
}
