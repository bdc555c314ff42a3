package volume

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	s.Area("volumes", volumeCreated, volumeSameName, volumeIDsUnique, volumeIDAlone, volumeContextConstant)
	s.Area("sizes of volumes", sizeAtLeastRequired, sizeExact, sizeLimitOnly, sizeOmitted, sizeEmptyRange, sizeNegativeRequired,
		sizeNegativeLimit, sizeLimitBelowRequired, sizeTooLarge, sizeOfBlock)
	s.Area("capabilities of volumes", capabilitiesAllHeld, capabilitiesAnyUsed, capabilitiesOneUnsupported, capabilitiesEachMode)
	s.Area("names of volumes", nameTakenLarger, nameTakenSmaller, nameTakenCompatible, nameTakenParameters, nameTakenCapabilities,
		nameFreeAfterDeletion, nameLongest, nameTooLong, nameInAnyScript, nameWithControlCharacter)
	s.Area("mutable parameters", mutableAtCreation, mutableOverParameters, modifyVolume, modifyUnsupported, modifyUnknownVolume)
	s.Area("deletion of volumes", deleteAgain, deletePublished)
}
