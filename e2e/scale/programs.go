// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"io"

	"github.com/csi-topo/csi-topo/clusters/cache"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
	"github.com/csi-topo/csi-topo/clusters/progress"
)

// Programs are what experiments run.
type Programs struct {
	nodeimage.ControlPlane

	// Provisioners are the paths of csi-provisioner by version.
	Provisioners map[string]string
}

// Build returns the programs of a minor version of Kubernetes, and csi-provisioner of each of the versions. It builds
// those that the cache does not have.
func Build(ctx context.Context, minor string, provisioners []string, out io.Writer) (Programs, error) {
	kept, err := cache.Default()
	if err != nil {
		return Programs{}, err
	}
	report := progress.New(out, kept.Path("logs", "scale"))
	builder := &nodeimage.Builder{Cache: kept, Progress: report}
	found := Programs{Provisioners: map[string]string{}}
	if found.ControlPlane, err = builder.ControlPlane(ctx, minor); err != nil {
		return Programs{}, err
	}
	for _, version := range provisioners {
		err := report.Step(ctx, "building csi-provisioner "+version, func(ctx context.Context, log io.Writer) error {
			path, err := buildProvisioner(ctx, kept, version, log)
			found.Provisioners[version] = path
			return err
		})
		if err != nil {
			return Programs{}, err
		}
	}
	return found, nil
}
