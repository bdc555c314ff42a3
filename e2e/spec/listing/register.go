package listing

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	s.Area("list of volumes", listVolumesHasEachOnce, listVolumesOfEverySegment, listVolumesWithoutDeleted)
	s.Area("pages of the list of volumes", listVolumesMaxEntries, listVolumesPages, listVolumesInOnePage,
		listVolumesWhileVolumesChange, listVolumesInvalidToken, listVolumesNumberAsToken, listVolumesNegativeMaxEntries)
	s.Area("entries of the list of volumes", listVolumesCapacity, listVolumesContext, listVolumesPublishedNodes,
		listVolumesAfterUnpublish)
	s.Area("one volume", getVolumeAnswers, getVolumeUnknown, getVolumeAsCreated,
		getVolumeAsListed, getVolumePublishedNodes)
	s.Area("health of volumes", volumeHealthOfNewVolume, volumeHealthUnknown, volumeHealthList,
		volumeHealthListOfDeleted, volumeHealthListInvalidToken, volumeHealthListNegativeMaxEntries)
}
