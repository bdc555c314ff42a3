package generated

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the case of this package.
func Register(s *harness.Suite) {
	s.Area("generated requests", generatedSequence)
}
