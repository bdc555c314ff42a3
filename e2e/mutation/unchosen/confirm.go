// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// AfterAnEnd is what a case still says of a driver whose process has ended before, or that has left a call unanswered: the
// embedded driver forgets its volumes in the one, and keeps those of earlier cases in the other, so that only calls that are
// not answered count.
func AfterAnEnd(c report.Case) report.Case {
	c.Blamed = slices.DeleteFunc(slices.Clone(c.Blamed), func(clause string) bool { return clause != Unanswerable })
	return c
}

// Silent are the cases that fail because the driver does not answer, and pass otherwise: their ids.
func Silent(cases []report.Case, but map[string]string) []string {
	var ids []string
	for _, c := range cases {
		if but[c.ID] == "" && failsUnanswered(c) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// Confirmed reports whether the case fails again because the changed driver does not answer, and every control passes: the
// same case against the driver that is not changed, at the same time and on the same machine. Without a control that has run,
// nothing is confirmed.
func Confirmed(id string, changed []report.Case, controls [][]report.Case) bool {
	said := func(cases []report.Case, which func(report.Case) bool) bool {
		return slices.ContainsFunc(cases, func(c report.Case) bool { return c.ID == id && which(c) })
	}
	for _, control := range controls {
		if !said(control, func(c report.Case) bool { return c.Verdict == suite.Passed }) {
			return false
		}
	}
	return len(controls) > 0 && said(changed, failsUnanswered)
}

func failsUnanswered(c report.Case) bool {
	return c.Verdict == suite.Failed && slices.Contains(c.Blamed, Unanswerable)
}
