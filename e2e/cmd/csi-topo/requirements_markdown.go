// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// printMarkdownRequirements prints a page with a table for each area.
func printMarkdownRequirements(out io.Writer, rows []listedRequirement) {
	verified, words := 0, 0
	for _, r := range rows {
		if len(r.Cases) > 0 {
			verified++
		}
		if r.Witness != "" {
			words++
		}
	}
	fmt.Fprintf(out, `# Requirements

The register has %d requirements, and cases verify %d of them.
A requirement whose id begins with K8S- is a behaviour of Kubernetes; every other one is a clause of the CSI specification.
A violated MUST of the driver is a failure; everything else is at most a warning.
`+"`csi-topo requirements TR-07`"+` prints one in full, with the cases that verify it, and `+"`csi-topo list --requirement TR-07`"+` lists only those cases.
Kubernetes may change the text of an event or of a condition: for each of the %d requirements with a case that reads one, the table names what else decides, or says that nothing does.
`, len(rows), verified, words)
	area := ""
	for _, r := range rows {
		if r.Area != area {
			area = r.Area
			fmt.Fprintf(out, "\n## %s\n\n| id | level | grades | requirement | cases |\n| --- | --- | --- | --- | --- |\n", area)
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s |\n", linked(r), r.Level, r.Grades, cell(r.Text), verifiedBy(r))
	}
}

// linked returns the requirement's id as a link to its source.
func linked(r listedRequirement) string {
	link := requirement.Requirement{Source: r.Source}.Link()
	if link == "" {
		return r.ID
	}
	return fmt.Sprintf("[%s](%s)", r.ID, link)
}

func verifiedBy(r listedRequirement) string {
	if len(r.Cases) == 0 {
		return "none: " + cell(whyNothing(r))
	}
	if r.Witness != "" {
		return fmt.Sprintf("%d; apart from words: %s", len(r.Cases), cell(r.Witness))
	}
	return fmt.Sprint(len(r.Cases))
}

// cell escapes the text for a cell of a table: it ends neither the cell nor the row, and begins no tag.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(text)
}
