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
- That a call is not answered contradicts GEN-08, a MUST: a call that cannot be completed returns a status. A slow machine causes the same, so it counts only when it is **confirmed**.
  The mutant runs in a process of its own then, as a vendor's driver does, and is started again whenever that process ends. A case that fails by GEN-08 is run again on its own, and has to fail by GEN-08 again: the call is never answered, or the process ends during it and again when it is repeated. At the same time the same case is run against the driver that is not changed, in a process of its own as well, on the same machine and with the same limits, over and over until the first has ended, and has to pass every time. A timeout alone is no evidence.
- It is **noticed as an error** when cases cannot tell, when GEN-08 is not confirmed, or when the driver does not start. No report is clean then, and it does not count as killed.
  Such a run does not pass: its exit status is 2, and its report lists what could not be judged. It is not a failure, because a fail means that the driver contradicts a MUST, and here nothing shows it: a driver that does not start answers nothing at all. One that answers as before and does not stop, or not properly, is not among them: no caller can notice how its process ends.
- It is **not reached** when no case executes the statement. Otherwise, all cases that do are run on the embedded driver, and then those of the other drivers below, until one of them kills it.
- Of a mutant that survives or is not reached, ` + "`e2e/mutation/unchosen/reasons.yaml`" + ` says what it would need to be noticed. Some make a driver that is as right as before: nothing obliges a driver to refuse what a CO must not ask, for example.
`

// Count is how many mutants of a package ended how.
type Count struct {
	Package                                   string
	All, Killed, Noticed, Survived, Unreached int
	// Silent is how many of those killed only do not answer, and Crashed of how many of these the process ends.
	Silent, Crashed int
	// Missed is how many of those that survived, or were not reached, a caller can notice over gRPC.
	Missed int
	// noticed says how those ended that were noticed as an error.
	noticed ways
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
		if m.silent() {
			c.Silent++
		}
		if m.silent() && m.Ended {
			c.Crashed++
		}
	case Noticed:
		c.Noticed++
		c.noticed.add(m)
	case Survived:
		c.Survived++
	case Unreached:
		c.Unreached++
	}
	if m.Unexplained() && m.Needs.Noticeable() {
		c.Missed++
	}
}

// Noticeable is how many mutants a caller can notice over gRPC.
func (c Count) Noticeable() int { return c.Killed + c.Noticed + c.Missed }

// starting is how many of these start.
func (c Count) starting() int { return c.Noticeable() - c.noticed.broken }

func share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}

// Interval is where the share lies among all, with a certainty of 95 %, of which a sample has so many: that of Wilson.
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
	counts := r.Counts()
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\n", r.extent())
	text.WriteString("| package | mutants | killed | noticed as an error | survived | not reached | of these two, a caller can notice |\n| --- | --: | --: | --: | --: | --: | --: |\n")
	for _, c := range counts {
		fmt.Fprintf(&text, "| %s | %d | %d | %d | %d | %d | %d |\n", c.Package, c.All, c.Killed, c.Noticed, c.Survived, c.Unreached, c.Missed)
	}
	all := counts[len(counts)-1]
	fmt.Fprintf(&text, "\nA caller can notice %d of the mutants over gRPC. The spec tier kills %s of these by a clause, and of %s its report is not clean. It misses %s.\n",
		all.Noticeable(), r.part(all.Killed), r.part(all.Killed+all.Noticed), r.part(all.Missed))
	fmt.Fprintf(&text, "\nOf those killed, %d are killed by GEN-08 alone, and each is confirmed: %d end their process during a call, and %d do not answer one.\n",
		all.Silent, all.Crashed, all.Silent-all.Crashed)
	fmt.Fprintf(&text, "\nOf those that are noticed as an error, %s. Of all %d that start, a clause kills %s.\n",
		&all.noticed, all.starting(), r.partOf(all.Killed, all.starting()))
	return text.String()
}

// part is so many of the mutants that a caller can notice; of a sample, with where the part of all lies.
func (r *Results) part(of int) string {
	counts := r.Counts()
	return r.partOf(of, counts[len(counts)-1].Noticeable())
}

// partOf is so many of these mutants; of a sample, with where the part of all lies.
func (r *Results) partOf(of, these int) string {
	const percent = 100
	text := fmt.Sprintf("%.1f %%", percent*share(of, these))
	if len(r.Mutants) == r.All {
		return text
	}
	low, high := Interval(of, these)
	return fmt.Sprintf("%s (between %.1f and %.1f %% of all, with a certainty of 95 %%)", text, percent*low, percent*high)
}

// extent says which mutants these are.
func (r *Results) extent() string {
	if len(r.Mutants) == r.All {
		return fmt.Sprintf("All %d mutants; %d more do not compile.", r.All, r.Invalid)
	}
	return fmt.Sprintf("A sample of %d of %d mutants, with seed %d; %d more do not compile.", len(r.Mutants), r.All, r.Seed, r.Invalid)
}

// Markdown is docs/mutants.md.
func (r *Results) Markdown() string {
	var text strings.Builder
	text.WriteString(preamble)
	fmt.Fprintf(&text, "\n## Totals\n\n%s", r.Summary())
	fmt.Fprintf(&text, "\nThe drivers: %s.\n", strings.Join(r.Drivers, ", "))
	r.table(&text, "Missed, and a caller can notice", func(m Mutant) bool { return m.Unexplained() && m.Needs.Noticeable() })
	r.table(&text, "Noticed as an error", func(m Mutant) bool { return m.Outcome == Noticed })
	r.table(&text, "Killed by GEN-08 alone", Mutant.silent)
	for _, need := range needs {
		if !need.Noticeable() {
			r.table(&text, "Needs "+string(need), func(m Mutant) bool { return m.Unexplained() && m.Needs == need })
		}
	}
	return text.String()
}

// table lists the mutants of a group.
func (r *Results) table(text *strings.Builder, title string, of func(Mutant) bool) {
	fmt.Fprintf(text, "\n## %s\n\n", title)
	group := slices.DeleteFunc(slices.Clone(r.Mutants), func(m Mutant) bool { return !of(m) })
	if len(group) == 0 {
		text.WriteString("None.\n")
		return
	}
	text.WriteString("| where | change | outcome | why |\n| --- | --- | --- | --- |\n")
	for _, m := range group {
		fmt.Fprintf(text, "| %s:%d `%s` | `%s` | %s | %s |\n", m.File, m.Line, m.Function, cell(m.Change), m.Outcome, cell(m.why()))
	}
}

// why is the reason of a mutant that was not killed, or what was seen of it.
func (m Mutant) why() string {
	switch {
	case m.silent() && m.Ended:
		return m.By + ": the process ends during a call, and again"
	case m.silent():
		return m.By + ": a call is not answered, and again"
	default:
		return cmp.Or(m.Why, m.By)
	}
}

func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "`", "'", "\n", " ").Replace(text)
}
