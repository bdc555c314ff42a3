// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	_ "embed" // documents.yaml
	"errors"
	"fmt"
)

// Document is a text on Kubernetes, or on an interface of the CSI specification, with its statements.
type Document struct {
	Name string `yaml:"name"`
	// Source is the location of the document.
	Source     string      `yaml:"source"`
	Statements []Statement `yaml:"statements"`
}

// Statement is a statement of a document about a driver or the platform, with its account.
type Statement struct {
	// ID consists of the numbers of the document and of the statement in it.
	ID      string `yaml:"id"`
	Text    string `yaml:"text"`
	Account `yaml:",inline"`
}

//go:embed documents.yaml
var documentsFile []byte

// Documents returns the documents. The error has a sentence for each statement that is not accounted for.
func Documents() ([]Document, error) {
	var read struct {
		Documents []Document `yaml:"documents"`
	}
	if err := decode(documentsFile, &read); err != nil {
		return nil, fmt.Errorf("e2e/requirement/ledger/documents.yaml: %w", err)
	}
	return read.Documents, check(read.Documents)
}

func check(documents []Document) error {
	var problems []error
	seen := map[string]bool{}
	for _, d := range documents {
		for _, s := range d.Statements {
			if err := s.check(); err != nil {
				problems = append(problems, fmt.Errorf("e2e/requirement/ledger/documents.yaml, statement %s: %w", s.ID, err))
			}
			if seen[s.ID] {
				problems = append(problems, fmt.Errorf("e2e/requirement/ledger/documents.yaml: two statements have the id %s: change one", s.ID))
			}
			seen[s.ID] = true
		}
	}
	return errors.Join(problems...)
}
