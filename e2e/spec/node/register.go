package node

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	s.Area("node info", nodeIDSet, nodeIDUnique, nodeInfoAgain, nodeLimit, nodeTopologyClaimed, nodeTopologySameKeys, nodeTopologyOfVolumes)
	s.Area("node in reach", nodeUsesVolumes, nodeOutOfReach)
	s.Area("stage on a node", stageAgain, stageAgainAsBlock, stageUnknownVolume, stageUnknownMode,
		unstageUndoesStage, unstageAgain, unstageUnknownVolume)
	s.Area("publish on a node", publishMakesTarget, publishBlockTarget, publishAgain, publishReadOnly, publishAgainReadOnly,
		publishWithoutStaging, publishBeforeStage, publishUnknownVolume, publishUnknownMode,
		unpublishAgain, unpublishFreesVolume, unpublishUnknownVolume)
	s.Area("publish at a second path", publishSecondTarget, publishSecondTargetSingleWriter, publishSecondTargetMultiWriter, publishSecondTargetMultiNode)
	s.Area("volume on a node", statsUsage, statsBlock, statsUnknownPath, statsUnknownVolume,
		healthOfVolume, healthUnknownVolume, healthOfStorage)
}
