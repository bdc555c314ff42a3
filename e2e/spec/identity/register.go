package identity

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	s.Area("identity", identityName, identityOneName, identityVersion, identityReady, identityCapabilities)
	s.Area("claims", claimsController, claimsNode, claimsNothingElse, claimsExpansion, claimsVolumeConstraints, claimsSnapshotConstraints,
		claimsPublishedNodes, claimsVolumeHealth)
}
