// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// example is an example of the specification, or a sentence about TopologyRequirement, as a question.
type example struct {
	// id is the id of the spec tier's case that makes the same request, with a letter if the case makes several requests.
	id        string
	quotation string
	question
}

// Sentences of the specification that have several examples.
const (
	unableEqual       = "If it is unable to do so, the SP MUST fail the CreateVolume call."
	shallChoose       = "If x<n, then the SP SHALL choose x unique topologies from the list of requisite topologies. If it is unable to do so, the SP MUST fail the CreateVolume call."
	unableMore        = "MAY choose the remaining x-n unique topologies from the list of all possible topologies. If it is unable to do so, the SP MUST fail the CreateVolume call."
	firstExample      = `then the SP SHOULD first attempt to make the provisioned volume available from "zone" "Z3" in the "region" "R1" and fall back to "zone" "Z2" in the "region" "R1" if that is not possible.`
	secondExample     = `then the SP SHOULD first attempt to make the provisioned volume accessible from "zone" "Z4" in the "region" "R1" and fall back to "zone" "Z2" in the "region" "R1" if that is not possible. If that is not possible, the SP may choose between either the "zone" "Z3" or "Z5" in the "region" "R1".`
	thirdExample      = `then the SP SHOULD first attempt to make the provisioned volume accessible from the combination of the two "zones" "Z5" and "Z3" in the "region" "R1". If that's not possible, it should fall back to a combination of "Z5" and other possibilities from the list of requisite. If that's not possible, it should fall back to a combination of "Z3" and other possibilities from the list of requisite. If that's not possible, it should fall back to a combination of other possibilities from the list of requisite.`
	mustFail          = "If the list of requisite topologies is specified and the SP is unable to to make the provisioned volume available from any of the requisite topologies it MUST fail the CreateVolume call."
	inOrder           = "An SP MUST attempt to make the provisioned volume available using the preferred topologies in order from first to last."
	bothMissing       = "If TopologyRequirement is specified either requisite or preferred or both MUST be specified."
	sameVolume        = "If a volume corresponding to the specified volume `name` already exists, is accessible from `accessibility_requirements`, and is compatible with the specified `capacity_range`, `volume_capabilities`, `parameters` and `mutable_parameters` in the `CreateVolumeRequest`, the Plugin MUST reply `0 OK` with the corresponding `CreateVolumeResponse`."
	unableToProvision = "Indicates that although the `accessible_topology` field is valid, a new volume can not be provisioned with the specified topology constraints."
	incompatible      = "Indicates that a volume corresponding to the specified volume `name` already exists but is incompatible with the specified `capacity_range`, `volume_capabilities`, `parameters`, `accessibility_requirements` or `volume_content_source`."
)

// examples returns the table of e2e/spec/placement as questions, with the sentences that contain them.
func examples() []example {
	const all = "Z2 Z3 Z4 Z5"
	of := func(id, quotation string, x int, requisite, preferred, full string) example {
		return example{id, quotation, question{segments: zones(all), full: zones(full), x: x, requisite: zones(requisite), preferred: zones(preferred)}}
	}
	again := func(id, quotation string, x int, existing, requisite string) example {
		e := of(id, quotation, x, requisite, "", "")
		e.existing = zones(existing)
		return e
	}
	empty := of("T-BAD-2", bothMissing, 1, "", "", "")
	empty.empty = true
	nowhereAtAll := of("T-BAD-3", unableToProvision, 1, "", "", "")
	nowhereAtAll.requisite = model.Set{elsewhere()}
	return []example{
		of("T-EQ-1", `then the provisioned volume MUST be accessible from the "region" "R1" and the "zone" "Z2".`, 1, "Z2", "", ""),
		of("T-EQ-1F", unableEqual, 1, "Z2", "", "Z2"),
		of("T-EQ-2", `then the provisioned volume MUST be accessible from the "region" "R1" and both "zone" "Z2" and "zone" "Z3".`, 2, "Z2 Z3", "", ""),
		of("T-EQ-2F", unableEqual, 2, "Z2 Z3", "", "Z3"),
		of("T-LT-1", `then the SP may choose to make the provisioned volume available in either the "zone" "Z2" or the "zone" "Z3" in the "region" "R1".`, 1, "Z2 Z3", "", ""),
		of("T-LT-1Fa", shallChoose, 1, "Z2 Z3", "", "Z2"),
		of("T-LT-1Fb", shallChoose, 1, "Z2 Z3", "", "Z2 Z3"),
		of("T-LT-2", `then the provisioned volume MUST be accessible from any combination of two unique topologies: e.g. "R1/Z2" and "R1/Z3", or "R1/Z2" and "R1/Z4", or "R1/Z3" and "R1/Z4".`, 2, "Z2 Z3 Z4", "", ""),
		of("T-LT-2Fa", shallChoose, 2, "Z2 Z3 Z4", "", "Z2"),
		of("T-LT-2Fb", shallChoose, 2, "Z2 Z3 Z4", "", "Z2 Z3"),
		of("T-GT-1", `then the provisioned volume MUST be accessible from the "region" "R1" and the "zone" "Z2" and the SP may select the second zone independently, e.g. "R1/Z4".`, 2, "Z2", "", ""),
		of("T-GT-1Fa", unableMore, 2, "Z2", "", "Z3 Z4"),
		of("T-GT-1Fb", unableMore, 2, "Z2", "", "Z3 Z4 Z5"),
		of("T-PF-1a", firstExample, 1, "Z2 Z3", "Z3", ""),
		of("T-PF-1b", firstExample, 1, "Z2 Z3", "Z3", "Z3"),
		of("T-PF-2a", secondExample, 1, all, "Z4 Z2", ""),
		of("T-PF-2b", secondExample, 1, all, "Z4 Z2", "Z4"),
		of("T-PF-2c", secondExample, 1, all, "Z4 Z2", "Z4 Z2"),
		of("T-PF-2d", mustFail, 1, all, "Z4 Z2", all),
		of("T-PF-3a", thirdExample, 2, all, "Z5 Z3", ""),
		of("T-PF-3b", thirdExample, 2, all, "Z5 Z3", "Z3"),
		of("T-PF-3c", thirdExample, 2, all, "Z5 Z3", "Z5"),
		of("T-PF-3d", thirdExample, 2, all, "Z5 Z3", "Z5 Z3"),
		of("T-PF-3e", mustFail, 2, all, "Z5 Z3", "Z5 Z3 Z2"),
		of("T-PO-1", inOrder, 1, "", "Z4 Z2", ""),
		of("T-PO-2", "If the list of requisite topologies is not specified, then the SP MAY choose from the list of all possible topologies.", 1, "", "Z4 Z2", "Z4 Z2"),
		of("T-NR", "If this field is not specified and the SP has the VOLUME_ACCESSIBILITY_CONSTRAINTS plugin capability, the SP MAY choose where the provisioned volume is accessible from.", 1, "", "", ""),
		of("T-BAD-1", "If requisite is specified, all topologies in preferred list MUST also be present in the list of requisite topologies.", 1, "Z2", "Z3", ""),
		empty,
		nowhereAtAll,
		again("T-ID-1a", sameVolume, 1, "Z2", "Z2"),
		again("T-ID-1b", sameVolume, 1, "Z2", "Z2 Z3"),
		again("T-ID-2", incompatible, 1, "Z2", "Z3"),
	}
}

// zones returns the segments of region R1 with the given zones, which are separated by spaces.
func zones(names string) model.Set {
	var set model.Set
	for name := range strings.FieldsSeq(names) {
		set = append(set, model.Segment{"region": "R1", "zone": name})
	}
	return set
}
