// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"
)

// State is the record of a cluster, by which a later run can check whether it is the cluster that it needs.
type State struct {
	Layout     string `json:"layout"`
	Kubernetes string `json:"kubernetes"`
	Image      string `json:"image"`
	Built      bool   `json:"built"`
	// Shape is the content of the layout, as layouts with the same name may differ.
	Shape string `json:"shape"`
	// Kept reports whether the run that created the cluster ended and kept it. A cluster that is not kept and that no run is
	// using was left by a run that was killed.
	Kept bool `json:"kept"`
}

const stateFile = "cluster.yaml"

// readState returns nil if there is no state.
func readState(dir string) (*State, error) {
	content, err := os.ReadFile(filepath.Join(dir, stateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading a cluster's saved state: %w", err)
	}
	state := &State{}
	if err := yaml.Unmarshal(content, state); err != nil { // Not strict: another version may have written it.
		return nil, fmt.Errorf("reading a cluster's saved state: %w", err)
	}
	return state, nil
}

func writeState(dir string, state State) error {
	content, err := yaml.Marshal(state)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, stateFile), content, 0o644); err != nil {
		return fmt.Errorf("saving a cluster's state: %w", err)
	}
	return nil
}
