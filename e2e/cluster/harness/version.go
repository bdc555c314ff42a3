// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"
)

// KubernetesIs reports whether the cluster has this minor version of Kubernetes, such as "1.37", or a later one.
func (s *Scenario) KubernetesIs(minor string) bool {
	found, err := s.Kube.Discovery().ServerVersion()
	s.Need(err, "asking for the version of Kubernetes")
	is, err := isMinor(found.GitVersion, minor)
	s.Need(err, "reading the version of Kubernetes")
	return is
}

// isMinor reports whether the version belongs to the minor version or a later one. A pre-release of it counts.
func isMinor(found, minor string) (bool, error) {
	is, err := version.ParseGeneric(found)
	if err != nil {
		return false, fmt.Errorf("version %q: %w", found, err)
	}
	return is.AtLeast(version.MustParseGeneric(minor + ".0")), nil
}
