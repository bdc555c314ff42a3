// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/csi-topo/csi-topo/vectors"
)

// schemaURL is the location of the schema.
const schemaURL = "https://raw.githubusercontent.com/csi-topo/csi-topo/main/vectors/" + schemaName

// reflected returns the schema of the types of package vectors, with their comments. It must run in the directory of that
// package.
func reflected() ([]byte, error) {
	r := jsonschema.Reflector{ExpandedStruct: true}
	if err := r.AddGoComments("github.com/csi-topo/csi-topo/vectors", ".", jsonschema.WithFullComment()); err != nil {
		return nil, fmt.Errorf("reading the comments of package vectors: %w", err)
	}
	for name, comment := range r.CommentMap {
		r.CommentMap[name] = strings.ReplaceAll(comment, "\n", " ")
	}
	schema := r.Reflect(vectors.File{})
	schema.ID, schema.Title = schemaURL, "csi-topo vectors"
	schema.Description = "Requests with a TopologyRequirement, and the answers that the CSI specification allows."
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema); err != nil {
		return nil, fmt.Errorf("writing the schema of the vectors: %w", err)
	}
	return out.Bytes(), nil
}
