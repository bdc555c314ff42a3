// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/report"
)

func (p Profile) validateBackend() []problem {
	if err := conformance.CheckBackend(report.Backend(p.Implementation.Backend)); err != nil {
		return []problem{{[]any{"implementation", "backend"}, err.Error()}}
	}
	return nil
}
