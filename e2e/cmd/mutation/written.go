// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/mutation/proof"
)

// written is which drivers are run, and what is written of them.
type written struct {
	reportDir, document, focus string
	check, update              bool
	// correct is the command that writes the document anew.
	correct string
}

// write writes the report, and the document where that was asked for.
func (o written) write(shown *proof.Proof) error {
	if err := shown.Write(o.reportDir); err != nil {
		return err
	}
	if !o.update {
		return nil
	}
	if err := os.WriteFile(o.document, []byte(shown.Markdown()), 0o644); err != nil { //nolint:gosec // a document is for everybody
		return fmt.Errorf("writing %s: %w", o.document, err)
	}
	return nil
}

// checked holds the document against what the run showed.
func (o written) checked(shown *proof.Proof) error {
	if !o.check {
		return nil
	}
	text, err := os.ReadFile(o.document)
	if err != nil {
		return fmt.Errorf("reading the document to check: %w", err)
	}
	if differences := shown.Differences(string(text)); len(differences) > 0 {
		return errors.New(o.document + " says something else than the run:\n" + strings.Join(differences, "\n") + "\nto correct: " + o.correct + ", and look at what has changed")
	}
	return nil
}
