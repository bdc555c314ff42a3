// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"testing"
)

// TestRegisterHistory checks the recorded history against the texts of all versions of the specification.
func TestRegisterHistory(t *testing.T) {
	made, err := history(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, err := historyText(made)
	if err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile("../../requirement/ledger/history.yaml"); err != nil || string(written) != want {
		t.Errorf("history.yaml is not of the specification's versions: run go run ./e2e/cmd/ledger --since (%v)", err)
	}
}
