package placement

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Register declares the cases of this package.
func Register(s *harness.Suite) {
	registerExamples(s)
	s.Area("lists of a requirement", requisiteOrder, requisiteEverySegment, requisiteRepeated, requisiteRepeatedTwoTopologies,
		preferredRotated, preferredRepeated, preferredRepeatedTwoTopologies, preferredOutsideFullRequisite)
	s.Area("topologies that are no segments", requisiteUnknownBesideKnown, requisiteUnknownNeeded, preferredUnknown,
		requisiteNarrowKey, requisiteWideKey, requisiteUnknownKey, requisiteKeyInOtherCase, requisiteValueInOtherCase,
		requisiteKeyTwice, requisiteEmptyTopology, requisiteEmptyKey, requisiteEmptyValue, requisiteLongValue)
	s.Area("one after another full", filledXLessThanN, filledTwoOfN, filledXEqualN, filledXGreaterThanN, filledInOrderOfPreference)
	s.Area("repeated name", tID1, tID2, tID3, nameRepeatedInOtherWords, nameRepeatedWithoutRequirement,
		nameRepeatedWithEmptyRequirement, nameRepeatedWithOtherPreferred, nameRepeatedWithOneOfTwo, nameRepeatedForOtherPair,
		nameRepeatedForUnknown, nameRepeatedWhenFull, nameUsedAgainElsewhere)
	s.Area("at the same time", atOnceTwoZones, atOnceLastRoom)
	s.Area("topology of a volume", topologyListed, topologyGot, topologyOnlyWhereClaimed)
	s.Area("keys and values", topologyKeys, topologyKeysByCase, topologyValues, topologyOnePrefix, topologyOwnPrefix)
}

// registerExamples declares the specification's examples.
func registerExamples(s *harness.Suite) {
	s.Area("requisite, x = n", tEQ1, tEQ1F, tEQ2, tEQ2F)
	s.Area("requisite, x < n", tLT1, tLT1F, tLT2, tLT2F)
	s.Area("requisite, x > n", tGT1, tGT1F)
	s.Area("preferred, example 1", tPF1a, tPF1b)
	s.Area("preferred, example 2", tPF2a, tPF2b, tPF2c, tPF2d)
	s.Area("preferred, example 3", tPF3a, tPF3b, tPF3c, tPF3d, tPF3e)
	s.Area("preferred without requisite", tPO1, tPO2)
	s.Area("no requirement", tNR)
	s.Area("invalid requirement", tBAD1, tBAD2, tBAD3)
}
