package growth

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	s.Area("controller growth",
		growOffline, growOnline, growPublishedOffline, growAgain,
		growToSmaller, growNoCapability, growBlock, growKeepsTopology,
		growAtOnce,
	)
	s.Area("controller growth, size",
		growLimit, growLimitOnly, growLimitBelowSize,
	)
	s.Area("controller growth, capacity",
		growthInOneZone, growthInBothZones, growFullSegment, growBeyondRoom,
		growTwoZonesOneFull,
	)
	s.Area("controller growth, errors",
		growEmptyRange, growInvalidRange, growUnknownVolume, growUnsupportedCapability,
	)
	s.Area("node growth",
		nodeGrowStaged, nodeGrowPublished, nodeGrowOnline, nodeGrowAgain,
		nodeGrowToSmaller, nodeGrowBlock,
	)
	s.Area("node growth, optional fields",
		nodeGrowNoRange, nodeGrowNoStagingPath, nodeGrowNoCapability, nodeGrowLongPaths,
		nodeGrowLongestPaths,
	)
	s.Area("node growth, errors",
		nodeGrowUnknownVolume, nodeGrowNotOnNode, nodeGrowUnsupportedCapability, nodeGrowBeyondVolume,
	)
}
