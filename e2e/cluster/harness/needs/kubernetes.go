// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Kubernetes declares that the case needs the minor version, such as "1.37", or a later one, and for which
// behaviour.
func Kubernetes(minor, what string) []harness.Need {
	return []harness.Need{{Label: "kubernetes=" + minor, By: suite.ByEnvironment, Missing: func(_ context.Context, s *harness.Scenario) string {
		return lacking(s.KubernetesIs(minor), "needs Kubernetes %s, where %s by default", minor, what)
	}}}
}
