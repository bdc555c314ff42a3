// SPDX-License-Identifier: Apache-2.0

// Command generate writes the schema of a profile and its documentation. `make generate` runs it.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/csi-topo/csi-topo/e2e/profile/schema"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// generate writes the schema; it must run in the directory of package schema.
func generate() error {
	generated, err := schema.Reflect()
	if err != nil {
		return err
	}
	fields, err := schema.Read(generated)
	if err != nil {
		return err
	}
	for path, content := range map[string][]byte{
		schema.File: generated,
		filepath.Join("..", "..", "..", schema.Document): []byte(schema.Markdown(fields)),
	} {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return fmt.Errorf("writing what was generated: %w", err)
		}
	}
	return nil
}
