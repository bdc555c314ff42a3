// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"
	"slices"
	"strings"
)

// words holds the words that differ between the tiers.
type words struct {
	// tier and other are the names of the two suites.
	tier, other string
	preamble    string
}

func (p *Proof) words() words {
	if p.Tier == Cluster {
		return words{"cluster tier", "Kubernetes", clusterPreamble}
	}
	return words{"spec tier", "csi-sanity", specPreamble}
}

// specPreamble and clusterPreamble explain the page of a tier.
const (
	specPreamble = `# Proof of the spec tier

Every wrong and every right driver of the spec tier, and what the cases said of it in this run. What csi-sanity said is shown if it was run.

- A wrong driver contradicts a MUST. It is **caught** when a case that names the clause fails by that clause. Another failure, a timeout or an error of the set-up does not count.
- A driver to warn of contradicts a SHOULD, or does what its users regret. It is caught when a case warns by the clause.
- Of a right driver, a case that fails or cannot tell is a false alarm.
- csi-sanity is v5.6.0 of kubernetes-csi/csi-test, with its options for this driver: both endpoints, sizes, parameters, secrets and the limit of a node's volumes. It caught a driver when any of its cases fails that does not fail on the reference driver.

The seconds are those of the spec tier's cases that have to catch the driver.
`
	clusterPreamble = `# Proof of the cluster tier

Everything that is made wrong on a cluster, and what the cases of the cluster tier and Kubernetes' own suite said of it in this run.

- What is wrong is **caught** when a case fails, or warns where the platform is graded, by a clause that is contradicted. A timeout or an error does not count.
- Of a right driver, a case that fails or cannot tell is a false alarm. The cases that take minutes run against the reference driver alone.
- Kubernetes is its external-storage suite: the specs of topology and capacity, with the test driver file of the reference driver. They caught a wrong driver when any of them fails, by a timeout too. The suite is not asked where it could not meet what is wrong: a provisioner that a case starts, a scheduler, a cluster.

The seconds are those of the cases that have to notice.
`
)

// Markdown returns the proof as a page.
func (p *Proof) Markdown() string {
	as := p.words()
	var text strings.Builder
	text.WriteString(as.preamble)
	fmt.Fprintf(&text, "\n## Totals\n\n| | all | %s | %s |\n| --- | --: | --: | --: |\n", as.tier, as.other)
	for _, c := range p.Counts() {
		fmt.Fprintf(&text, "| %s | %d | %d | %s |\n", c.Group, c.All, c.Ours, c.ofAsked())
	}
	for _, s := range p.sections() {
		p.table(&text, s)
	}
	p.rightOnes(&text)
	return text.String()
}

// sections returns the tables of the page, in order.
func (p *Proof) sections() []group {
	other := func(d Driver) bool { return d.Other() != nil && d.Other().Caught }
	sections := []group{
		{"Caught by nobody", func(d Driver) bool { return !d.Right && !d.Caught && !other(d) }},
		{"Wrong drivers", func(d Driver) bool { return !d.Right && !d.Warned && (d.Caught || other(d)) }},
	}
	if p.Tier == Cluster {
		sections[1].name = "What is wrong"
		return sections
	}
	return append(sections, group{"Drivers to warn of", func(d Driver) bool { return d.Warned && (d.Caught || other(d)) }})
}

// of returns the drivers of a group.
func (p *Proof) of(g group) []Driver {
	return slices.DeleteFunc(slices.Clone(p.Drivers), func(d Driver) bool { return !g.of(d) })
}

// table writes the drivers of a group.
func (p *Proof) table(text *strings.Builder, g group) {
	drivers, as := p.of(g), p.words()
	fmt.Fprintf(text, "\n## %s\n\n", g.name)
	if len(drivers) == 0 {
		text.WriteString("None.\n")
		return
	}
	fmt.Fprintf(text, "| driver | contradicts | seen in | %s | seconds | %s |\n| --- | --- | --- | --- | --: | --- |\n", as.tier, as.other)
	for _, d := range drivers {
		fmt.Fprintf(text, "| `%s`: %s | %s | %s | %s | %.1f | %s |\n", d.ID, escaped(d.Text), some(strings.Fields(d.Clause)), seen(d), caught(&d.Found), d.Seconds, caught(d.Other()))
	}
}

func (p *Proof) rightOnes(text *strings.Builder) {
	as := p.words()
	fmt.Fprintf(text, "\n## Right drivers\n\n| driver | %s | %s |\n| --- | --- | --- |\n", as.tier, as.other)
	for _, d := range p.of(group{of: func(d Driver) bool { return d.Right }}) {
		fmt.Fprintf(text, "| `%s`: %s | %s | %s |\n", d.ID, escaped(d.Text), alarms(&d.Found), alarms(d.Other()))
	}
}

func escaped(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func seen(d Driver) string {
	if d.Upstream() {
		return escaped(d.Origin)
	}
	return ""
}

// most is the maximum number of names in a list.
const most = 3

func some(names []string) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// notAsked replaces the result of a suite that could not observe the fault.
const notAsked = "not asked"

func caught(f *Found) string {
	switch {
	case f == nil:
		return notAsked
	case !f.Caught:
		return "**no**"
	}
	return escaped(some(f.By))
}

func alarms(f *Found) string {
	switch {
	case f == nil:
		return notAsked
	case !f.Caught:
		return "none"
	}
	return fmt.Sprintf("%d: %s", len(f.By), escaped(some(f.By)))
}
