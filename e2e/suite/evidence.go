// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// Proof is one piece of a case's evidence as the report holds it.
type Proof struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// NewProof returns a piece of evidence with the value as it is now: later changes to the value do not change it.
// Protobuf messages and Kubernetes objects keep their field names.
func NewProof(name string, value any) Proof {
	return Proof{Name: name, Value: snapshot(value)}
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
