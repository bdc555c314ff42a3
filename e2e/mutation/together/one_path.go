// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// onePath prepares volumes at one path, the same for all: of two concurrent stagings, the second finds what the first
// left there.
type onePath struct {
	stagings meeting[string] // of staging paths
	mixed    sync.Map        // by the staging path, the one whose volume is there
	targets  sync.Map        // by the staging path, the target path
}

func stagesAtOnePath(cases ...mutation.Case) mutation.Expectation {
	p := &onePath{}
	wrong := mutation.Wide(mutation.Answering(func(r *csi.NodeStageVolumeRequest, _ *csi.NodeStageVolumeResponse) {
		if theirs, came := p.stagings.meet(fmt.Sprint(r.GetPublishContext(), r.GetVolumeCapability()), r.GetStagingTargetPath()); came == second {
			p.mixed.Store(r.GetStagingTargetPath(), theirs)
		}
	}).And(mutation.Answering(func(r *csi.NodePublishVolumeRequest, _ *csi.NodePublishVolumeResponse) {
		p.targets.Store(r.GetStagingTargetPath(), r.GetTargetPath())
	})), cases...)
	wrong.Target = func(t *harness.Target) { t.Paths = mixedPaths{t.Paths, p} }
	return wrong
}

// mixedPaths holds the paths of nodes, with the volumes that are there.
type mixedPaths struct {
	harness.Paths
	of *onePath
}

func (m mixedPaths) Write(ctx context.Context, node, path string, offset int64, data []byte) error {
	return m.Paths.Write(ctx, node, m.of.truly(path), offset, data)
}

func (m mixedPaths) Read(ctx context.Context, node, path string, offset int64, most int) ([]byte, error) {
	return m.Paths.Read(ctx, node, m.of.truly(path), offset, most)
}

// truly returns the real location of a file at the path.
func (p *onePath) truly(path string) string {
	for staging, theirs := range p.mixed.Range {
		own, _ := p.targets.Load(staging)
		other, _ := p.targets.Load(theirs)
		if own != nil && other != nil && strings.HasPrefix(path, own.(string)) {
			return other.(string) + strings.TrimPrefix(path, own.(string))
		}
	}
	return path
}
