// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// preamble says what the document is, and how to get it again.
const preamble = `# Proof

A conformance suite is worth what the wrong drivers are that it catches, and the right ones that it lets pass.
This page has all that the spec tier is proven by: the reference driver with one fault each, and unusual drivers that keep the specification.
Most of the wrong ones were written along with the cases that catch them: that the spec tier catches these says that its cases judge, and not how many other faults it would miss.
` + "`make mutation`" + ` runs them all, on sockets, and fails when this page says something else than the run.

- A wrong driver contradicts a MUST. It is **caught** when a case that names the clause fails by that clause. Another failure, a timeout or an error of the set-up does not count.
- A driver to warn of contradicts a SHOULD, or does what its users regret. It is caught when a case warns by the clause.
- Of a right driver, a case that fails or cannot tell is a false alarm.
- csi-sanity is v5.6.0 of kubernetes-csi/csi-test, with its options for this driver: both endpoints, sizes, parameters, secrets and the limit of a node's volumes. It caught a driver when any of its cases fails that does not fail on the reference driver.
- Kubernetes' own external-storage suite needs a cluster: it is not run here.

The seconds are those of the spec tier's cases that have to catch the driver, on one machine.
`

// Markdown is docs/proof.md.
func (p *Proof) Markdown() string {
	var text strings.Builder
	text.WriteString(preamble)
	text.WriteString("\n## Totals\n\n| | drivers | spec tier | csi-sanity |\n| --- | --: | --: | --: |\n")
	for _, c := range p.Counts() {
		fmt.Fprintf(&text, "| %s | %d | %d | %d |\n", c.Group, c.All, c.Ours, c.CSISanity)
	}
	p.table(&text, "Caught by nobody", func(d Driver) bool { return !d.Right && !d.Caught && !d.CSISanity.Caught })
	p.table(&text, "Wrong drivers", func(d Driver) bool { return !d.Right && !d.Warned && (d.Caught || d.CSISanity.Caught) })
	p.table(&text, "Drivers to warn of", func(d Driver) bool { return d.Warned && (d.Caught || d.CSISanity.Caught) })
	p.rightOnes(&text)
	return text.String()
}

// table writes the drivers of a group.
func (p *Proof) table(text *strings.Builder, title string, of func(Driver) bool) {
	group := slices.DeleteFunc(slices.Clone(p.Drivers), func(d Driver) bool { return !of(d) })
	fmt.Fprintf(text, "\n## %s\n\n", title)
	if len(group) == 0 {
		text.WriteString("None.\n")
		return
	}
	text.WriteString("| driver | contradicts | seen in | spec tier | seconds | csi-sanity |\n| --- | --- | --- | --- | --: | --- |\n")
	for _, d := range group {
		fmt.Fprintf(text, "| `%s`: %s | %s | %s | %s | %.1f | %s |\n", d.ID, escaped(d.Text), some(strings.Fields(d.Clause)), seen(d), caught(d.Found), d.Seconds, caught(d.CSISanity))
	}
}

func (p *Proof) rightOnes(text *strings.Builder) {
	text.WriteString("\n## Right drivers\n\n| driver | spec tier | csi-sanity |\n| --- | --- | --- |\n")
	for _, d := range p.Drivers {
		if d.Right {
			fmt.Fprintf(text, "| `%s`: %s | %s | %s |\n", d.ID, escaped(d.Text), alarms(d.Found), alarms(d.CSISanity))
		}
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

func caught(f Found) string {
	if !f.Caught {
		return "**no**"
	}
	return escaped(some(f.By))
}

func alarms(f Found) string {
	if !f.Caught {
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
	case " | none |", " | **no** |":
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
