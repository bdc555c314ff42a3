// SPDX-License-Identifier: Apache-2.0

// Command generate writes vectors.json and its schema from the oracle. `make generate` runs it.
package main

import (
	"fmt"
	"os"

	"github.com/csi-topo/csi-topo/vectors"
)

// Generated files, in the directory of package vectors.
const (
	fileName   = "vectors.json"
	schemaName = "vectors.schema.json"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// generate writes the vectors; it must run in the directory of package vectors.
func generate() error {
	file, err := encode(build())
	if err != nil {
		return err
	}
	schema, err := reflected()
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{fileName: file, schemaName: schema} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return fmt.Errorf("writing what was generated: %w", err)
		}
	}
	return nil
}

// build returns the examples of the specification and the generated vectors.
func build() vectors.File {
	b := &builder{file: vectors.File{Schema: schemaName, Specification: "1.13.0", Topologies: map[string]vectors.Topology{}}}
	for _, e := range examples() {
		b.add(e.question, vectors.Vector{ID: e.id, Quotation: e.quotation})
	}
	const generated = 1000
	for i, q := range drawn(generated) {
		b.add(q, vectors.Vector{ID: fmt.Sprintf("G-%04d", i+1)})
	}
	return b.file
}
