// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// words are what differs between the tiers.
type words struct {
	// tier and other are the names of the two that judged.
	tier, other string
	preamble    string
}

func (p *Proof) words() words {
	if p.Tier == Cluster {
		return words{"cluster tier", "Kubernetes", clusterPreamble}
	}
	return words{"spec tier", "csi-sanity", specPreamble}
}

// specPreamble and clusterPreamble say what the document is, and how to get it again.
const (
	specPreamble = `# Proof

A conformance suite is worth what the wrong drivers are that it catches, and the right ones that it lets pass.
This page has all that the spec tier is proven by: the reference driver with one fault each, and unusual drivers that keep the specification.
Most of the wrong ones were written along with the cases that catch them: that the spec tier catches these says that its cases judge, and not how many other faults it would miss.
` + "`make mutation`" + ` runs them all, on sockets, and fails when this page says something else than the run.

- A wrong driver contradicts a MUST. It is **caught** when a case that names the clause fails by that clause. Another failure, a timeout or an error of the set-up does not count.
- A driver to warn of contradicts a SHOULD, or does what its users regret. It is caught when a case warns by the clause.
- Of a right driver, a case that fails or cannot tell is a false alarm.
- csi-sanity is v5.6.0 of kubernetes-csi/csi-test, with its options for this driver: both endpoints, sizes, parameters, secrets and the limit of a node's volumes. It caught a driver when any of its cases fails that does not fail on the reference driver.
- Kubernetes' own external-storage suite needs a cluster: it is not run here. [The proof of the cluster tier](proof-cluster.md) has what only a cluster shows.

The seconds are those of the spec tier's cases that have to catch the driver, on one machine.
`
	clusterPreamble = `# Proof of the cluster tier

What each case of the cluster tier is shown to notice, on a real cluster: wrong drivers, made of the reference driver by the recording proxies in front of it; wrong schedulers; and wrong clusters, whose API server changes objects so that components do what wrong ones would.
They were written along with the cases: that these are caught says that the cases judge, and not how many other faults they would miss.
` + "`make mutation-cluster`" + ` tries them all, and fails when this page says something else than the run. [The proof of the spec tier](proof.md) has what needs no cluster.

- What is wrong is **caught** when a case fails, or warns where the platform is graded, by a clause that is contradicted. A timeout or an error does not count.
- Of a right driver, a case that fails or cannot tell is a false alarm. Those beside the reference driver are made of it by the recording proxies, too, and are not asked what takes minutes.
- Kubernetes is the external-storage suite of v1.36.3: its specs of topology and capacity, with the test driver file of the reference driver, fixtures/external-storage/hostpath-topo.yaml. All of them pass on the reference driver. They caught a wrong one when any of them fails, by a timeout too. A driver that chooses zones by itself can be right by chance: in two runs, they caught driver/ignores_topology once, and the row is of the second one. It is not asked where it could not meet what is wrong: a provisioner that a case starts, a scheduler, a cluster.

The seconds are those of the cases that have to notice, on one machine of two cores that could be busy with other things: they say which are slow, and nothing more.
A run takes hours, so the rows can come from several runs: ` + "`make mutation-cluster UPDATE=1 MISSING=1`" + ` tries what has no row, or has changed since its row was written. [The same as YAML](proof-cluster.yaml).
`
)

// Markdown is docs/proof.md, or docs/proof-cluster.md.
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
	if len(p.Untried) > 0 {
		fmt.Fprintf(&text, "\n## Not tried yet\n\n`%s`\n", strings.Join(p.Untried, "`, `"))
	}
	return text.String()
}

// sections are the tables of what is wrong, in their order.
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

// of are the drivers of a group.
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

// most is how many names are listed of many.
const most = 3

func some(names []string) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// notAsked is said of a suite that could not meet what is wrong.
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

// seconds are the cells of a table that differ from run to run.
var seconds = regexp.MustCompile(`\| \d+\.\d \|`)

// compared is a line without what differs from run to run: seconds, and which cases of the other suite say that a driver is
// wrong, as a driver that is ready only after a while fails those that it happens to meet until then.
func compared(line string) string {
	line = seconds.ReplaceAllString(line, "| |")
	begin := strings.LastIndex(line, " | ")
	if !strings.HasPrefix(line, "| `") || begin < 0 {
		return line
	}
	switch line[begin:] {
	case " | none |", " | **no** |", " | " + notAsked + " |":
		return line
	default:
		return line[:begin] + " | some |"
	}
}

// Differences are the lines of the document that the run would write otherwise, but for what differs from run to run; - is
// before the document's own, + before the run's.
func (p *Proof) Differences(document string) []string {
	lines := func(text string) map[string]string {
		as := map[string]string{}
		for line := range strings.SplitSeq(text, "\n") {
			as[compared(line)] = line
		}
		return as
	}
	want, got := lines(p.Markdown()), lines(document)
	var differences []string
	for _, one := range []struct {
		sign      string
		has, lack map[string]string
	}{{"- ", got, want}, {"+ ", want, got}} {
		for _, line := range slices.Sorted(maps.Keys(one.has)) {
			if _, found := one.lack[line]; !found {
				differences = append(differences, one.sign+one.has[line])
			}
		}
	}
	return differences
}
