// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"encoding/json"
	"fmt"
)

// File is the content of vectors.json.
type File struct {
	// Schema is the location of the file's JSON schema.
	Schema string `json:"$schema"`
	// Specification is the version of the CSI specification that the vectors follow.
	Specification string `json:"specification"`
	// Topologies are all topologies, by the names that vectors use.
	Topologies map[string]Topology `json:"topologies"`
	// Vectors are the examples of the specification, and then the generated ones.
	Vectors []Vector `json:"vectors"`
}

// Vector is one request for a volume, and the answers that the specification allows. It names topologies by the names in
// Topologies.
type Vector struct {
	// ID is the name of the vector. It begins with T- for an example of the specification, and with G- if it was generated.
	ID string `json:"id"`
	// Segments are the topologies that the driver's nodes report: a volume can be accessible from these, and no others.
	Segments []string `json:"segments" jsonschema:"minItems=1"`
	// Full are the segments that have no room for the volume.
	Full []string `json:"full,omitempty"`
	// Existing has the topologies of a volume of the same name that exists already and otherwise matches the request. It is
	// missing if the name is new.
	Existing []string `json:"existing,omitempty"`
	// X is the number of topologies that the volume must be accessible from: the x of the specification. The driver's own
	// parameters determine it.
	X int `json:"x" jsonschema:"minimum=1"`
	// Requirement is the request's accessibility_requirements. It is missing if the request has none.
	Requirement *Requirement `json:"requirement,omitempty"`
	// Allowed are the answers that follow the request.
	Allowed Answers `json:"allowed"`
	// Discouraged are answers that contradict no MUST, but that users will regret. All others are forbidden.
	Discouraged Answers `json:"discouraged,omitzero"`
	// Clauses are the ids of the clauses that decide, as csi-topo requirements lists them.
	Clauses []string `json:"clauses" jsonschema:"minItems=1"`
	// Quotation is the sentence of the specification that contains the example. Generated vectors have none.
	Quotation string `json:"quotation,omitempty"`
}

// String returns the vector's JSON, for the message of a failing test.
func (v Vector) String() string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%s: %v", v.ID, err)
	}
	return string(text)
}

// Requirement is a TopologyRequirement. It is empty if it has neither list.
type Requirement struct {
	// Requisite is the list requisite of the TopologyRequirement.
	Requisite []string `json:"requisite,omitempty"`
	// Preferred is the list preferred of the TopologyRequirement, first to last.
	Preferred []string `json:"preferred,omitempty"`
}

// Answers is a set of answers to a request.
type Answers struct {
	// Volumes has the accessible_topology of each possible volume. The order of topologies has no meaning.
	Volumes [][]string `json:"volumes,omitempty"`
	// Codes are the names of the possible gRPC codes.
	Codes []string `json:"codes,omitempty"`
}
