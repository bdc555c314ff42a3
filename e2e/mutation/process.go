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

// restartOfProcess is the time limit for restarting a driver in a separate process, on a busy machine.
const restartOfProcess = 10 * time.Second

// served is the line that a process writes once its driver accepts calls.
type served struct {
	Controller string          `json:"controller"`
	Nodes      []embedded.Node `json:"nodes"`
}

func servedBy(driver *embedded.Driver) served { return served{driver.Controller, driver.Nodes} }

// Serve runs the driver in the directory, until the context ends, and writes a line with its endpoints. The end of in shows
// that the process that started it is gone: then Serve exits at once, because nothing else would end a driver that hangs.
func (d Driver) Serve(ctx context.Context, dir string, in io.Reader, out io.Writer, exit func(code int)) error {
	go func() {
		_, _ = io.Copy(io.Discard, in) // the process that started this one is gone
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
