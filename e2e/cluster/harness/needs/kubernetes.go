// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Kubernetes says from which minor on Kubernetes does by itself what the case shows, such as "1.37", and what that is.
func Kubernetes(minor, what string) []harness.Need {
	return []harness.Need{{Label: "kubernetes=" + minor, By: suite.ByEnvironment, Missing: func(_ context.Context, s *harness.Scenario) string {
		found, err := s.Kube.Discovery().ServerVersion()
		s.Need(err, "asking for the version of Kubernetes")
		missing, err := lacksMinor(minor, found.GitVersion, what)
		s.Need(err, "reading the version of Kubernetes")
		return missing
	}}}
}

// lacksMinor says that the version is of an earlier minor, where it is.
func lacksMinor(minor, found, what string) (string, error) {
	is, err := version.ParseGeneric(found)
	if err != nil {
		return "", fmt.Errorf("version %q: %w", found, err)
	}
	return lacking(is.AtLeast(version.MajorMinor(is.Major(), version.MustParseGeneric(minor).Minor())),
		"needs Kubernetes %s, where %s by default, found %s", minor, what, found), nil
}
