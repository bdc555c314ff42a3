// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Document is a page of the repository that says what a run showed, beside the report of a run.
type Document struct {
	// ReportDir is the directory of the report, and Path the document's.
	ReportDir, Path string
	// Check holds the document against the run, and Update writes it.
	Check, Update bool
	// Correct is the command that writes the document anew.
	Correct string
}

// Write writes the report, and the document where that was asked for.
func (d Document) Write(shown *Proof) error {
	if err := shown.Write(d.ReportDir); err != nil {
		return err
	}
	if !d.Update {
		return nil
	}
	if err := os.WriteFile(d.Path, []byte(shown.Markdown()), 0o644); err != nil { //nolint:gosec // a document is for everybody
		return fmt.Errorf("writing %s: %w", d.Path, err)
	}
	return nil
}

// Compare holds the document against what the run showed, where that was asked for.
func (d Document) Compare(shown *Proof) error {
	if !d.Check {
		return nil
	}
	text, err := os.ReadFile(d.Path)
	if err != nil {
		return fmt.Errorf("reading the document to check: %w", err)
	}
	if differences := shown.Differences(string(text)); len(differences) > 0 {
		return errors.New(d.Path + " says something else than the run:\n" + strings.Join(differences, "\n") + "\nto correct: " + d.Correct + ", and look at what has changed")
	}
	return nil
}
