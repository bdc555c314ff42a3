// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
)

// preamble says what the document is, and how to get it again.
const preamble = `# Mutants that nobody chose

The wrong drivers of [the proof](proof.md) were mostly written along with the cases that catch them.
These were not: a tool changes the reference driver's own source, in every place where it can, one expression or statement at a time, and the cases of the spec tier judge each of the drivers that come of it.
` + "`make mutants UPDATE=1`" + ` makes this page.

- The tool negates conditions and moves their boundaries, exchanges ` + "`&&` and `||`" + `, arithmetic operators, ` + "`min` and `max`, `break` and `continue`" + `, removes statements and the bodies of branches, and returns nothing in place of something. It does so in ` + "`driver/topology`, `driver/pool`, `driver/record` and `driver/service`" + `. What does not compile is not counted.
- A mutant is **killed** when a case that passes otherwise fails by a clause, or warns by one. csi-sanity is not run.
- It is **noticed as an error** when a case cannot tell, the driver does not answer in time, or the process ends. That does not count as killed.
- It is **not reached** when no case executes the statement. Otherwise, all cases that do are run on the embedded driver, and then those of the other drivers below, until one of them kills it.
`

// Count is how many mutants of a package ended how.
type Count struct {
	Package                                   string
	All, Killed, Noticed, Survived, Unreached int
	// Noticeable is how many of those that were not killed a caller can notice over gRPC.
	Noticeable int
}

// Counts are those of the packages, and of all of them.
func (r *Results) Counts() []Count {
	byPackage := map[string]*Count{}
	all := Count{Package: "all"}
	for _, m := range r.Mutants {
		name := path.Dir(m.File)
		if byPackage[name] == nil {
			byPackage[name] = &Count{Package: name}
		}
		for _, c := range []*Count{byPackage[name], &all} {
			c.add(m)
		}
	}
	var counts []Count
	for _, c := range byPackage {
		counts = append(counts, *c)
	}
	slices.SortFunc(counts, func(a, b Count) int { return cmp.Compare(a.Package, b.Package) })
	return append(counts, all)
}

func (c *Count) add(m Mutant) {
	c.All++
	switch m.Outcome {
	case Killed:
		c.Killed++
	case Noticed:
		c.Noticed++
	case Survived:
		c.Survived++
	case Unreached:
		c.Unreached++
	}
	if m.Outcome != Killed && m.Needs.Noticeable() {
		c.Noticeable++
	}
}

// Share is the part of the mutants that a caller can notice that is killed.
func (c Count) Share() float64 { return share(c.Killed, c.Killed+c.Noticeable) }

func share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}

// Interval is where the share of all mutants lies, with a certainty of 95 %, of which the sample has so many: that of
// Wilson.
func Interval(part, of int) (low, high float64) {
	if of == 0 {
		return 0, 1
	}
	const z = 1.959964
	n, p := float64(of), share(part, of)
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return (middle - half) / (1 + z*z/n), (middle + half) / (1 + z*z/n)
}

// Summary says in a table what became of the mutants, for the terminal and the page.
func (r *Results) Summary() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\n", r.extent())
	text.WriteString("| package | mutants | killed | noticed as an error | survived | not reached | not killed, and a caller can notice | killed of those that a caller can notice |\n| --- | --: | --: | --: | --: | --: | --: | --: |\n")
	for _, c := range r.Counts() {
		fmt.Fprintf(&text, "| %s | %d | %d | %d | %d | %d | %d | %.1f %% |\n", c.Package, c.All, c.Killed, c.Noticed, c.Survived, c.Unreached, c.Noticeable, 100*c.Share())
	}
	return text.String()
}

// extent says which mutants these are.
func (r *Results) extent() string {
	counts := r.Counts()
	all := counts[len(counts)-1]
	if all.All == r.All {
		return fmt.Sprintf("All %d mutants; %d more do not compile.", r.All, r.Invalid)
	}
	low, high := Interval(all.Killed, all.Killed+all.Noticeable)
	return fmt.Sprintf("A sample of %d of %d mutants, with seed %d. Of those that a caller can notice, between %.1f and %.1f %% of all are killed, with a certainty of 95 %%.",
		all.All, r.All, r.Seed, 100*low, 100*high)
}

// Markdown is docs/mutants.md.
func (r *Results) Markdown() string {
	var text strings.Builder
	text.WriteString(preamble)
	fmt.Fprintf(&text, "\n## Totals\n\n%s", r.Summary())
	fmt.Fprintf(&text, "\nThe drivers: %s.\n", strings.Join(r.Drivers, ", "))
	r.table(&text, "Not killed, and a caller can notice", func(m Mutant) bool { return m.Needs.Noticeable() })
	for _, need := range needs {
		if !need.Noticeable() {
			r.table(&text, "Needs "+string(need), func(m Mutant) bool { return m.Needs == need })
		}
	}
	return text.String()
}

// table lists the mutants of a group that were not killed.
func (r *Results) table(text *strings.Builder, title string, of func(Mutant) bool) {
	fmt.Fprintf(text, "\n## %s\n\n", title)
	group := slices.DeleteFunc(slices.Clone(r.Mutants), func(m Mutant) bool { return m.Outcome == Killed || !of(m) })
	if len(group) == 0 {
		text.WriteString("None.\n")
		return
	}
	text.WriteString("| where | change | outcome | why |\n| --- | --- | --- | --- |\n")
	for _, m := range group {
		fmt.Fprintf(text, "| %s:%d `%s` | `%s` | %s | %s |\n", m.File, m.Line, m.Function, cell(m.Change), m.Outcome, cell(cmp.Or(m.Why, m.By)))
	}
}

func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "`", "'", "\n", " ").Replace(text)
}
