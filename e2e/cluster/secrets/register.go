// SPDX-License-Identifier: Apache-2.0

// Package secrets has the cluster tier's cases about the secrets that a class names, the calls that carry them, and the
// logs that must not contain them. The sidecars and the kubelet add secrets to calls, so the cases grade the platform,
// except for a driver that refuses a call because it has secrets, or logs them.
package secrets

import (
	"maps"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "secrets", Cases: []harness.Case{
		secretsReachCalls(),
		secretsReachSnapshots(),
		secretsNotLogged(),
		secretsMissing(),
		secretsUnknownParameter(),
	}}
}

// prefix is the prefix of the parameters that are for the sidecars only.
const prefix = "csi.storage.k8s.io/"

// parametersWith returns the parameters of one of the target's classes, with more added. The case is skipped if the driver
// needs its own secrets: others would be wrong for it.
func parametersWith(s *harness.Scenario, own, more map[string]string) map[string]string {
	if key, found := secretIn(own); found {
		suite.Skip(suite.ByProfile, "gives the driver the case's own secrets, but the profile says that it needs others: %s", key)
	}
	parameters := map[string]string{}
	maps.Copy(parameters, own)
	maps.Copy(parameters, more)
	return parameters
}

// secretIn returns a parameter that names a secret, and whether there is one.
func secretIn(parameters map[string]string) (key string, found bool) {
	for _, key := range slices.Sorted(maps.Keys(parameters)) {
		if strings.HasPrefix(key, prefix) && strings.Contains(key, "secret") {
			return key, true
		}
	}
	return "", false
}
