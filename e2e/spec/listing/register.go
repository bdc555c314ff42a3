package listing

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	s.Area("list of volumes", listVolumesHasEachOnce, listVolumesOfEverySegment, listVolumesWithoutDeleted)
	s.Area("pages of the list of volumes", listVolumesMaxEntries, listVolumesNextToken, listVolumesPagesOfOne, listVolumesPagesOfTwo,
		listVolumesInOnePage, listVolumesWhileVolumesChange, listVolumesInvalidToken, listVolumesNumberAsToken, listVolumesNegativeMaxEntries)
	s.Area("entries of the list of volumes", listVolumesTopology, listVolumesCapacity, listVolumesContext, listVolumesPublishedNodes,
		listVolumesAfterUnpublish, listVolumesPublishedNodesClaim)
	s.Area("one volume", getVolumeAnswers, getVolumeUnknown, getVolumeDeleted, getVolumeAsCreated,
		getVolumeAsListed, getVolumePublishedNodes)
	s.Area("health of volumes", volumeHealthOfNewVolume, volumeHealthUnknown, volumeHealthList,
		volumeHealthListOfDeleted, volumeHealthListInvalidToken, volumeHealthListNegativeMaxEntries, volumeHealthClaims)
}
