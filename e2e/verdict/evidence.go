// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"encoding/json"
	"fmt"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// Proof is one piece of a case's evidence as the report holds it.
type Proof struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// NewProof is a piece of evidence with the value as it is now: what happens to it later does not change the evidence.
// Protobuf messages and Kubernetes objects keep their field names.
func NewProof(name string, value any) Proof {
	return Proof{Name: name, Value: snapshot(value)}
}

// AddProof adds the evidence to the report of the case that Ginkgo runs now.
func AddProof(p Proof) {
	ginkgo.AddReportEntry(p.Name, p, types.ReportEntryVisibilityNever, ginkgo.Offset(1))
}

// Proofs returns a finished case's evidence, oldest first.
func Proofs(spec types.SpecReport) []Proof {
	var found []Proof
	for _, entry := range spec.ReportEntries {
		if proof, ok := entry.GetRawValue().(Proof); ok {
			found = append(found, proof)
		}
	}
	return found
}

// snapshot renders a value as JSON, and as a JSON string of its Go representation when it has no JSON form.
func snapshot(value any) json.RawMessage {
	switch v := value.(type) {
	case proto.Message:
		if data, err := protojson.Marshal(v); err == nil {
			return data
		}
	case error:
		value = v.Error()
	}
	data, err := json.Marshal(value)
	if err != nil {
		data, _ = json.Marshal(fmt.Sprintf("%+v", value)) // a string always has a JSON form
	}
	return data
}
