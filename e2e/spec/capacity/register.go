package capacity

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	s.Area("capacity as it is told", capacityAnswers, capacityOfEverything, capacityNeverNegative, capacityAskedAgain)
	s.Area("capacity by segment", capacityOfUnknownSegment, capacityWithoutTopology, capacityFallsInItsSegment, capacityFallsInBothSegments,
		capacityOfFullSegment)
	s.Area("capacity by kind of volume", capacityForCapabilities, capacityForUnsupportedCapabilities, capacityForEachKind,
		capacityForTwoSegmentsNeedsBoth, capacityForRefusedParameters, capacityWithSidecarParameters)
	s.Area("capacity as volumes come and go", capacityFallsByVolume, capacityReturnsWithDeletion, capacityCountsRepeatsOnce,
		capacityAfterGrowthToTheLimit)
	s.Area("largest and smallest volume", capacityMaximumCanBeHad, capacityMoreThanMaximum, capacityMaximumOfLittleRoom,
		capacityMinimumCanBeHad, capacityLessThanMinimum, capacityMinimumIsTold)
}
