// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/requirement/ledger"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// page is the ledger together with the cases of both tiers.
type page struct {
	version   string
	entries   []ledger.Entry
	documents []ledger.Document
	cases     requirement.Coverage
}

func pageOf(version string, entries []ledger.Entry, documents []ledger.Document) page {
	cases := requirement.Coverage{}
	for _, c := range append(suite.List(spec.Areas()), suite.List(cluster.Areas())...) {
		cases.Add(c.ID, c.Requirements...)
	}
	return page{version, entries, documents, cases}
}

// counts are the numbers of lines or statements by standing.
type counts map[ledger.Standing]int

func (c counts) String() string {
	all := 0
	for _, n := range c {
		all += n
	}
	return fmt.Sprintf("%d: %d verified by cases, %d in part, %d by requirements without a case, %d not checked for a reason",
		all, c[ledger.Verified], c[ledger.InPart], c[ledger.Without], c[ledger.Unchecked])
}

func (p page) lines() counts {
	of := counts{}
	for _, e := range p.entries {
		of[e.Standing(p.cases)]++
	}
	return of
}

func (p page) statements(documents ...ledger.Document) counts {
	of := counts{}
	for _, d := range documents {
		for _, s := range d.Statements {
			of[s.Standing(p.cases)]++
		}
	}
	return of
}

func (p page) printCounts(out io.Writer) {
	fmt.Fprintf(out, "lines of spec.md %s with a keyword %s\n", p.version, p.lines())
	fmt.Fprintf(out, "statements of the documents %s\n", p.statements(p.documents...))
	for _, d := range p.documents {
		fmt.Fprintf(out, "  %s %s\n", d.Name, p.statements(d))
	}
}

const head = `# The ledger

What the suite's sources demand, and how it is accounted for. A line of the CSI specification counts if it has a keyword of RFC 2119 that demands or recommends: MUST, REQUIRED, SHALL, SHOULD or RECOMMENDED, also where NOT follows; a line with two of them counts once.
Each is accounted for by [requirements](requirements.md), which have cases or say why they have none, or by the reason why nothing checks it. ` + "`make test`" + ` fails if one is not, and ` + "`go run ./e2e/cmd/ledger`" + ` prints these figures.

| | all | verified by cases | in part | without a case | not checked |
| --- | --- | --- | --- | --- | --- |
`

// printMarkdown prints the ledger as a page.
func (p page) printMarkdown(out io.Writer) {
	fmt.Fprint(out, head)
	row := func(name string, all int, of counts) {
		fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d |\n", name, all, of[ledger.Verified], of[ledger.InPart], of[ledger.Without], of[ledger.Unchecked])
	}
	row("lines of the CSI specification "+p.version, len(p.entries), p.lines())
	all := 0
	for _, d := range p.documents {
		row("statements of "+d.Name, len(d.Statements), p.statements(d))
		all += len(d.Statements)
	}
	row("all statements", all, p.statements(p.documents...))
	fmt.Fprintf(out, "\n## The CSI specification, line by line\n\n| line | it says | accounted for by |\n| --- | --- | --- |\n")
	for _, e := range p.entries {
		fmt.Fprintf(out, "| [%d](https://github.com/container-storage-interface/spec/blob/%s/spec.md?plain=1#L%d) | %s | %s |\n",
			e.Number, p.version, e.Number, cell(shortened(e.Says())), p.by(e.Account))
	}
	for _, d := range p.documents {
		fmt.Fprintf(out, "\n## %s\n\n%s\n\n| statement | it says | accounted for by |\n| --- | --- | --- |\n", d.Name, d.Source)
		for _, s := range d.Statements {
			fmt.Fprintf(out, "| %s | %s | %s |\n", s.ID, cell(s.Text), p.by(s.Account))
		}
	}
}

// by returns the ids of the account's requirements, each with the number of its cases, or the reason.
func (p page) by(a ledger.Account) string {
	if a.Reason != "" {
		return cell(a.Reason)
	}
	var named []string
	for _, id := range a.Requirements {
		cases := "no case"
		switch n := len(p.cases[id]); {
		case n == 1:
			cases = "1 case"
		case n > 1:
			cases = fmt.Sprintf("%d cases", n)
		}
		named = append(named, fmt.Sprintf("%s (%s)", id, cases))
	}
	return strings.Join(named, ", ")
}

// shortened shortens a text of the specification, which has some long lines.
func shortened(text string) string {
	const most = 160
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	return string(letters[:most]) + "…"
}

// cell escapes the text for a cell of a table: it ends neither the cell nor the row, and begins no tag.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(text)
}
