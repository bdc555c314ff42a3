// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"slices"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Listed is one case as it is declared.
type Listed struct {
	ID           string   `json:"id"`
	Area         string   `json:"area"`
	Text         string   `json:"text"`
	Requirements []string `json:"requirements"`
	Needs        []string `json:"needs"`

	labels []string
}

// List returns a case by its area, its text, and the labels that hold its id, its requirements and its needs.
func List(area, text string, labels []string) Listed {
	return Listed{
		ID:           verdict.CaseID(labels),
		Area:         area,
		Text:         text,
		Requirements: verdict.Requirements(labels),
		Needs:        verdict.Needs(labels),
		labels:       slices.Clone(labels),
	}
}

// Labels are the case's, which hold its id, its requirements and its needs.
func (l Listed) Labels() []string { return slices.Clone(l.labels) }

// listAll returns the cases of a run that has not begun.
func listAll(preview types.Report) []Listed {
	var all []Listed
	for _, spec := range preview.SpecReports {
		if spec.LeafNodeType == types.NodeTypeIt {
			_, area, text := report.Identify(spec)
			all = append(all, List(area, text, spec.Labels()))
		}
	}
	return all
}
