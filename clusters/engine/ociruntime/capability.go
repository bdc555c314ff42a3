// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

const dropped = "CAP_SYS_RESOURCE"

// dropFromBundle removes the capability from the process in a bundle's config.json.
func dropFromBundle(bundle string) error {
	return edit(filepath.Join(bundle, "config.json"), func(spec map[string]any) {
		if process, ok := spec["process"].(map[string]any); ok {
			drop(process)
		}
	})
}

// dropFromProcess removes the capability from a process file of exec.
func dropFromProcess(path string) error { return edit(path, drop) }

// drop removes the capability from every set of an OCI process.
func drop(process map[string]any) {
	sets, ok := process["capabilities"].(map[string]any)
	if !ok {
		return
	}
	for name, set := range sets {
		members, ok := set.([]any)
		if !ok {
			continue
		}
		kept := make([]any, 0, len(members))
		for _, member := range members {
			if member != dropped {
				kept = append(kept, member)
			}
		}
		sets[name] = kept
	}
}

// edit changes a JSON file in place. Numbers are kept as written: limits do not fit a float.
func edit(path string, change func(map[string]any)) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading what runc should run: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var document map[string]any
	if err := decoder.Decode(&document); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	change(document)
	if text, err = json.Marshal(document); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	// The file exists, so that its mode and owner stay.
	return os.WriteFile(path, text, 0o600)
}
