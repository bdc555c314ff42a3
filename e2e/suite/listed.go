// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"fmt"
	"slices"
)

// Listed is the declaration of a case, without its function.
type Listed struct {
	ID           string   `json:"id"`
	Area         string   `json:"area"`
	Text         string   `json:"text"`
	Requirements []string `json:"requirements"`
	Needs        []string `json:"needs"`
	// Closing says that the case is about the run as a whole.
	Closing bool `json:"closing,omitempty"`
	// File is the file with the case's function, below the module's folder.
	File string `json:"file,omitempty"`

	labels []string
	name   string
}

// List returns the cases of the areas, in their order.
func List[T any](areas []Area[T]) []Listed {
	var all []Listed
	for _, area := range areas {
		for _, c := range area.Cases {
			listed := NewListed(c.ID, area.Name, c.Text, c.AllLabels())
			listed.Closing, listed.File = c.Closing, fileOf(c.Run)
			all = append(all, listed)
		}
	}
	return all
}

// NewListed returns a case with its requirements and its needs, which it takes from its
// labels.
func NewListed(id, area, text string, labels []string) Listed {
	return Listed{
		ID: id, Area: area, Text: text,
		Requirements: withPrefix(labels, requirementLabel),
		Needs:        withPrefix(labels, needLabel),
		labels:       slices.Clone(labels),
		name:         area + " " + id + " " + text,
	}
}

// Named returns the case with the full name instead of its area, id and text.
func (l Listed) Named(name string) Listed {
	l.name = name
	return l
}

// Labels returns the case's labels, which hold its id, its requirements and its needs.
func (l Listed) Labels() []string { return slices.Clone(l.labels) }

// Name returns the case's full name, as in JUnit.
func (l Listed) Name() string { return l.name }

// IDs returns the ids of the cases.
func IDs(cases []Listed) []string {
	found := make([]string, 0, len(cases))
	for _, c := range cases {
		found = append(found, c.ID)
	}
	return found
}

// CheckIDs returns an error if two cases have the same id.
func CheckIDs(cases []Listed) error {
	areas := map[string]string{}
	for _, c := range cases {
		if other, taken := areas[c.ID]; taken {
			return fmt.Errorf("two cases have the id %s: one in the area %s, and one in %s", c.ID, other, c.Area)
		}
		areas[c.ID] = c.Area
	}
	return nil
}
