// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"io"

	"github.com/csi-topo/csi-topo/clusters/cache"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
	"github.com/csi-topo/csi-topo/clusters/progress"
)

// Programs are the programs that experiments run.
type Programs struct {
	nodeimage.ControlPlane

	// Sidecars are paths of sidecars.
	Sidecars map[sidecar]string
}

// Build returns the programs of a minor version of Kubernetes, and the sidecars of the experiments. It builds the sidecars
// that are not in the cache.
func Build(ctx context.Context, minor string, experiments []Experiment, out io.Writer) (Programs, error) {
	kept, err := cache.Default()
	if err != nil {
		return Programs{}, err
	}
	report := progress.New(out, kept.Path("logs", "scale"))
	builder := &nodeimage.Builder{Cache: kept, Progress: report}
	found := Programs{Sidecars: map[sidecar]string{}}
	if found.ControlPlane, err = builder.ControlPlane(ctx, minor); err != nil {
		return Programs{}, err
	}
	for _, e := range experiments {
		for _, v := range e.variants {
			if _, isBuilt := found.Sidecars[v.sidecar]; isBuilt || v.sidecar == (sidecar{}) {
				continue
			}
			err := report.Step(ctx, "building "+v.sidecar.String(), func(ctx context.Context, log io.Writer) error {
				path, err := v.sidecar.build(ctx, kept, log)
				found.Sidecars[v.sidecar] = path
				return err
			})
			if err != nil {
				return Programs{}, err
			}
		}
	}
	return found, nil
}
