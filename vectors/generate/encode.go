// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/vectors"
)

// encode returns the file as JSON, with one topology or vector on each line, so that differences are readable.
func encode(file vectors.File) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n\"$schema\": %q,\n\"specification\": %q,\n\"topologies\": {\n", file.Schema, file.Specification)
	for i, name := range slices.Sorted(maps.Keys(file.Topologies)) {
		topology, err := line(file.Topologies[name])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%s%q: %s", separator(i), name, topology)
	}
	out.WriteString("\n},\n\"vectors\": [\n")
	for i, v := range file.Vectors {
		vector, err := line(v)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%s%s", separator(i), vector)
	}
	out.WriteString("\n]\n}\n")
	return out.Bytes(), nil
}

// line returns a value as JSON on one line, and does not escape < and >.
func line(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("writing the vectors: %w", err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// separator returns the separator before the element of a list with the index.
func separator(index int) string {
	if index == 0 {
		return ""
	}
	return ",\n"
}
