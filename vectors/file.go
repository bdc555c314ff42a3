// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	"encoding/json"
	"fmt"
)

// File is what vectors.json has.
type File struct {
	// Schema is where the JSON schema of the file is.
	Schema string `json:"$schema"`
	// Specification is the version of the CSI specification that the vectors are of.
	Specification string `json:"specification"`
	// Topologies are all topologies, by the names that vectors call them.
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
	// Existing is set if a volume of the same name exists already, and differs from the request in nothing but its
	// topologies, which are these.
	Existing []string `json:"existing,omitempty"`
	// X is the number of topologies that the volume is to be accessible from. It is the x of the specification, and follows
	// from the driver's own parameters.
	X int `json:"x" jsonschema:"minimum=1"`
	// Requirement is the accessibility_requirements of the request; none if it is missing.
	Requirement *Requirement `json:"requirement,omitempty"`
	// Allowed are the answers as asked.
	Allowed Answers `json:"allowed"`
	// Discouraged are answers that contradict no MUST, but that users will regret. All others are forbidden.
	Discouraged Answers `json:"discouraged,omitzero"`
	// Clauses are the ids of the clauses that decide, as csi-topo requirements lists them.
	Clauses []string `json:"clauses" jsonschema:"minItems=1"`
	// Quotation is the sentence of the specification that the example is from, for an example.
	Quotation string `json:"quotation,omitempty"`
}

// String returns the vector as vectors.json has it, for the message of a test that fails.
func (v Vector) String() string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%s: %v", v.ID, err)
	}
	return string(text)
}

// Requirement is a TopologyRequirement; one without both lists is empty.
type Requirement struct {
	// Requisite is the list requisite of the TopologyRequirement.
	Requisite []string `json:"requisite,omitempty"`
	// Preferred is the list preferred of the TopologyRequirement, first to last.
	Preferred []string `json:"preferred,omitempty"`
}

// Answers are some answers to a request.
type Answers struct {
	// Volumes has the accessible_topology of each volume that may be the answer. The order of topologies means nothing.
	Volumes [][]string `json:"volumes,omitempty"`
	// Codes are the names of the gRPC codes that may be the answer.
	Codes []string `json:"codes,omitempty"`
}
