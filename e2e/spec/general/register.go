package general

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// calls is how many calls for one volume are in flight at once.
const calls = 4

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	s.Area("required fields", requiredCreateVolume, requiredDeleteVolume, requiredValidateVolume, requiredGetVolume,
		requiredVolumeHealth, requiredControllerPublish, requiredControllerUnpublish, requiredControllerExpand,
		requiredControllerModify, requiredCreateSnapshot, requiredDeleteSnapshot, requiredGetSnapshot, requiredNodeStage,
		requiredNodeUnstage, requiredNodePublish, requiredNodeUnpublish, requiredNodeExpand, requiredNodeStats, requiredNodeHealth)
	s.Area("size limits", limitsOfAnswers, limitsOfVolumeID, limitsOfParameters)
	s.Area("calls at once", concurrentCreation, concurrentDeletion, concurrentPublication, concurrentStaging)
}
