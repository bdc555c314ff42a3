package attach

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	s.Area("attach to a node", attachEveryNode, attachOutOfReach, attachSameNodeAgain, attachReadOnly, attachAgainReadOnly, attachAgainOtherMode, attachLimit)
	s.Area("attach to several nodes", attachSecondNode, attachMultiWriter, attachMultiReader, attachSingleWriter)
	s.Area("attach with or without fields", attachUnknownVolume, attachUnknownNode, attachUnknownMode, attachWithoutSecrets,
		attachWithoutContext)
	s.Area("detach", detachAgain, detachNeverAttached, detachOtherNode, detachThenOtherNode, detachWithoutNodeID, detachFromAll, detachOneOfTwo,
		detachUnknownVolume, detachUnknownNode)
	s.Area("validate capabilities", validateConfirms, validateUnknownMode, validateUnknownVolume)
}
