// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{{Name: "the whole run", Cases: []harness.Case{
		staysUp(), answersReadably(), answersValidly(), everyCallWorks(), worksToTheEnd(), bearsSurveys(), bearsOthersBeside(), leavesOthersAlone(),
	}}}
}

// askAll calls GetPluginInfo and GetPluginCapabilities at each endpoint, and ignores the answers.
func askAll(ctx context.Context, driver *harness.Driver) {
	ctx = attempt.Tolerant(ctx)
	identities := []csi.IdentityClient{driver.Identity}
	for _, node := range driver.Nodes {
		identities = append(identities, node.Identity)
	}
	for _, identity := range identities {
		_, _ = identity.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}) // its faults are recorded for the whole run
		_, _ = identity.GetPluginCapabilities(ctx, &csi.GetPluginCapabilitiesRequest{})
	}
}
