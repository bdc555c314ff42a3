// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// printRequirements prints a table that fits a terminal.
func printRequirements(out io.Writer, rows []listedRequirement) {
	const beforeText = 56 // the width of the other columns
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tLEVEL\tGRADES\tTIERS\tVERIFIED BY\tTEXT")
	verified := 0
	for _, r := range rows {
		by := "nothing"
		if len(r.Cases) > 0 {
			verified++
			by = count(len(r.Cases), "case")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.Level, r.Grades, tiersOf(r), by, shorten(r.Text, terminalWidth-beforeText))
	}
	table.Flush()
	fmt.Fprintf(out, "%d requirements, %d of them verified by cases; `csi-topo requirements ID` prints one in full\n", len(rows), verified)
}

// printWideRequirements prints a table of all columns.
func printWideRequirements(out io.Writer, rows []listedRequirement) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tLEVEL\tKEYWORD\tGRADES\tTIERS\tRPC\tSOURCE\tTEXT\tPOSITION\tVERIFIED BY")
	for _, r := range rows {
		by := strings.Join(r.Cases, ",")
		if by == "" {
			by = "nothing: " + whyNothing(r)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.Level, cmp.Or(r.Keyword, "-"), r.Grades, tiersOf(r),
			cmp.Or(r.RPC, "-"), r.Source, r.Text, cmp.Or(r.Position, "-"), by)
	}
	table.Flush()
}

// printInFull prints a paragraph for each requirement.
func printInFull(out io.Writer, rows []listedRequirement, cases []suite.Listed) {
	texts := map[string]string{}
	for _, c := range cases {
		texts[c.ID] = c.Text
	}
	for i, r := range rows {
		if i > 0 {
			fmt.Fprintln(out)
		}
		level := string(r.Level)
		if r.Keyword != "" && r.Keyword != level {
			level += fmt.Sprintf(" (%s)", r.Keyword)
		}
		fmt.Fprintf(out, "%s  %s, grades the %s\n", r.ID, level, r.Grades)
		field(out, "area", r.Area)
		field(out, "calls", r.RPC)
		field(out, "source", r.Source)
		field(out, "since", r.Since)
		field(out, "text", r.Text)
		field(out, "shown by", r.Observable)
		field(out, "beside words", r.Witness)
		field(out, "position", r.Position)
		field(out, "tiers", tiersOf(r))
		if len(r.Cases) == 0 {
			field(out, "verified by", "nothing: "+whyNothing(r))
		}
		for i, id := range r.Cases {
			name := ""
			if i == 0 {
				name = "verified by"
			}
			field(out, name, id+": "+texts[id])
		}
	}
}

// field prints a named text, if it is not empty, below a requirement's first line.
func field(out io.Writer, name, text string) {
	const indent = 15
	if text == "" {
		return
	}
	for _, line := range wrap(text, terminalWidth-indent) {
		fmt.Fprintf(out, "  %-*s%s\n", indent-2, name, line)
		name = ""
	}
}

func tiersOf(r listedRequirement) string {
	names := make([]string, 0, len(r.Tiers))
	for _, tier := range r.Tiers {
		names = append(names, string(tier))
	}
	return cmp.Or(strings.Join(names, ","), "-")
}

func whyNothing(r listedRequirement) string {
	return cmp.Or(r.Untestable, r.Uncovered, "no reason is given")
}
