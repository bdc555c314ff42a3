// SPDX-License-Identifier: Apache-2.0

// Package secrets has the cluster tier's cases on the secrets that a StorageClass names, and the calls that carry them.
// What calls carry is the sidecars' and the kubelet's doing, so they grade the platform, but for a driver that refuses a
// call because it has secrets.
package secrets

import (
	"maps"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Area is the group of this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "secrets", Cases: []harness.Case{
		secretsReachCalls(),
		secretsMissing(),
		secretsUnknownParameter(),
	}}
}

// prefix is what the parameters begin with that the sidecars keep to themselves.
const prefix = "csi.storage.k8s.io/"

// parametersWith are the parameters of the target's volumes, and these besides. A driver that needs secrets of its own
// is left alone: others would be wrong for it.
func parametersWith(s *harness.Scenario, more map[string]string) map[string]string {
	parameters := maps.Clone(s.Target.AccessibleFrom(1))
	if parameters == nil {
		parameters = map[string]string{}
	}
	for _, key := range slices.Sorted(maps.Keys(parameters)) {
		if strings.HasPrefix(key, prefix) && strings.Contains(key, "secret") {
			suite.Skip(suite.ByProfile, "gives the driver secrets of the case's own, and the profile says that its volumes need others: %s", key)
		}
	}
	maps.Copy(parameters, more)
	return parameters
}
