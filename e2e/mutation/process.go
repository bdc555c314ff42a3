// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/csi-topo/csi-topo/driver/embedded"
)

// restartOfProcess is within which a driver in a process of its own is started again, on a machine that has other things
// to do as well.
const restartOfProcess = 10 * time.Second

// served is what a process writes in a line once its driver accepts calls.
type served struct {
	Controller string          `json:"controller"`
	Nodes      []embedded.Node `json:"nodes"`
}

func servedBy(driver *embedded.Driver) served { return served{driver.Controller, driver.Nodes} }

// Serve runs the driver in the directory, until the context ends, and writes a line with its endpoints. Where nobody is left
// who started it, which the end of in says, it ends at once: a driver that hangs has nothing else that would end it.
func (d Driver) Serve(ctx context.Context, dir string, in io.Reader, out io.Writer, exit func(code int)) error {
	go func() {
		_, _ = io.Copy(io.Discard, in) // whatever ends it, nobody is left
		exit(1)
	}()
	driver, err := embedded.Start(ctx, d.options(dir))
	if err != nil {
		return err
	}
	if err := json.NewEncoder(out).Encode(servedBy(driver)); err != nil {
		return errors.Join(fmt.Errorf("writing the endpoints: %w", err), driver.Stop())
	}
	<-ctx.Done()
	return driver.Stop()
}
