package source

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	s.Area("restoring",
		restoreVolume, restoreLarger, restoreLargerOnNode, restoreSmaller,
		restoreAgain, restoreNameTaken, restoreUnknownSource, restoreCountedOnce,
		restoreOutlivesSnapshot, sourceEmpty,
	)
	s.Area("restoring where the snapshot is usable",
		restoreInReach, restorePartlyInReach, restoreOutOfReach, restoreFullSegment,
	)
	s.Area("cloning",
		cloneVolume, cloneLarger, cloneLargerOnNode, cloneSmaller,
		cloneAgain, cloneNameTaken, cloneUnknownSource, cloneCountedOnce,
		cloneOutlivesSource,
	)
	s.Area("cloning where the source is",
		cloneInReach, clonePartlyInReach, cloneOutOfReach, cloneFullSegment,
	)
	s.Area("taking snapshots",
		snapshotVolume, snapshotAgain, snapshotOtherVolume, snapshotAtOnce,
		snapshotUnknownVolume, snapshotFullSegment, snapshotOutlivesVolume, snapshotDeletedAgain,
	)
	s.Area("listing snapshots",
		snapshotListed, snapshotsBySource, snapshotsByID, snapshotsPaged,
		snapshotsInvalidToken, snapshotGot, snapshotGetUnknown,
	)
	s.Area("topology of snapshots",
		snapshotTopologyClaimed, snapshotRestorable, snapshotWithin, snapshotPreferring,
		snapshotPreferredOnly, snapshotTwoZones, snapshotOutOfReach, snapshotUnknownTopology,
		snapshotEmptyRequirement, snapshotTopologyAgain, snapshotTopologyReported,
	)
}
