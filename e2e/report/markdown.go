// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	// mostMarkdown is the limit of a page of Markdown, in bytes: GitHub drops the summary of a job above 1 MiB.
	mostMarkdown = 1000 << 10
	// mostFindings is the maximum size of the findings in bytes, so that there is room for the list of all cases.
	mostFindings = 700 << 10
	// mostMessage is the maximum size of one message in bytes.
	mostMessage = 16 << 10
)

// Markdown prints the report for a page such as the summary of a GitHub workflow: the findings first, failures before
// errors and warnings, each cause once, and then all cases that ran, collapsed. Anything beyond GitHub's limit is left out,
// and the page says so. meaning returns the text of a requirement; "" leaves it out.
func Markdown(out io.Writer, r *ConformanceReport, meaning func(id string) string) error {
	page := &limitedPage{most: mostFindings}
	page.add(headOf(r))
	for _, left := range NotRun(r) {
		page.add(fmt.Sprintf("\n**%d not run**: %s\n", len(left.IDs), cell(left.Why)))
	}
	for _, v := range []suite.Verdict{suite.Failed, suite.Errored, suite.Warned} {
		for _, f := range Findings(r, v) {
			page.add(f.markdown(meaning))
		}
	}
	page.closeWith("\n%d more findings are left out to save space: see report.html\n")
	page.most = mostMarkdown
	page.add("\n<details><summary>All cases that ran</summary>\n\n| case | area | verifies | verdict | seconds |\n| --- | --- | --- | --- | ---: |\n")
	for _, c := range r.Cases {
		if c.DecidedBy != suite.ByFilter && c.Reason != suite.NotRun {
			page.add(rowOf(c))
		}
	}
	page.closeWith("\n%d more cases are left out to save space: see report.html\n")
	page.text.WriteString("\n</details>\n")
	if _, err := io.WriteString(out, page.text.String()); err != nil {
		return fmt.Errorf("printing the report as Markdown: %w", err)
	}
	return nil
}

// limitedPage is a page that accepts no more parts once one did not fit.
type limitedPage struct {
	text strings.Builder
	most int
	left int
}

func (p *limitedPage) add(part string) {
	if p.left > 0 || p.text.Len()+len(part) > p.most {
		p.left++
		return
	}
	p.text.WriteString(part)
}

// closeWith prints the number of parts that were left out, if any, and makes the page accept parts again.
func (p *limitedPage) closeWith(format string) {
	if p.left > 0 {
		fmt.Fprintf(&p.text, format, p.left)
	}
	p.left = 0
}

// headOf returns the first part of the page: the summary of a run.
func headOf(r *ConformanceReport) string {
	var text strings.Builder
	fmt.Fprintf(&text, "### %s tier: %s in %.0f s\n\n", r.Environment.Tier, r.Summary, r.Summary.Seconds)
	text.WriteString(cell(strings.TrimSpace(r.Driver.Name + " " + r.Driver.Version)))
	if r.Environment.Kubernetes != "" {
		fmt.Fprintf(&text, ", Kubernetes %s", cell(r.Environment.Kubernetes))
	}
	fmt.Fprintf(&text, ", %d nodes in %d zones, seed %d\n", r.Environment.Nodes, len(r.Environment.Zones), r.Suite.Seed)
	if len(r.Profiles) > 0 {
		text.WriteString("\n| profile | outcome | requirements |\n| --- | --- | --- |\n")
	}
	for _, p := range r.Profiles {
		fmt.Fprintf(&text, "| %s | %s | %s |\n", p.Title(), p.Outcome, p.Detail())
	}
	if ids := r.NotNeeded(); len(ids) > 0 {
		fmt.Fprintf(&text, "\nWaivers that are no longer needed: %s\n", strings.Join(ids, ", "))
	}
	return text.String()
}

// markdown returns the finding as Markdown, expanded unless it is a warning.
func (f Finding) markdown(meaning func(id string) string) string {
	c := f.Shown
	open := " open"
	if c.Verdict == suite.Warned {
		open = ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\n<details%s><summary><b>%s</b> %s (%s): %s</summary>\n\n", open, c.Verdict, html.EscapeString(c.ID), html.EscapeString(c.Area), html.EscapeString(c.Text))
	for _, id := range slices.Concat(c.Blamed, f.Also) {
		if says := meaning(id); says != "" {
			id += ": " + says
		}
		fmt.Fprintf(&text, "%s %s<br>\n", relation(c.Verdict, false), html.EscapeString(id))
	}
	if len(c.Blamed) == 0 && len(c.Requirements) > 0 {
		fmt.Fprintf(&text, "verifies %s\n", html.EscapeString(strings.Join(c.Requirements, ", ")))
	}
	message := strings.TrimSpace(c.Reason + "\n" + c.Message)
	if len(message) > mostMessage {
		message = strings.ToValidUTF8(message[:mostMessage], "") + "\n… (report.yaml has the rest)"
	}
	fmt.Fprintf(&text, "\n<pre>%s</pre>\n", html.EscapeString(message))
	if len(f.Others) > 0 {
		same := "The same"
		if f.Answer != "" {
			same = "The same answer"
		}
		fmt.Fprintf(&text, "\n%s in %d more: %s\n", same, len(f.Others), cell(strings.Join(f.Others, ", ")))
	}
	text.WriteString("</details>\n")
	return text.String()
}

// rowOf returns the case as a row of the table of all cases.
func rowOf(c Case) string {
	verdict := string(c.Verdict)
	if c.Reason != "" {
		verdict += ": " + cell(c.Reason)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %.1f |\n", cell(c.ID), cell(c.Area), strings.Join(c.Requirements, ", "), verdict, c.Seconds)
}

// cell returns the text escaped for a cell of a Markdown table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

// String returns the number of cases by verdict.
func (s Summary) String() string {
	text := fmt.Sprintf("%d pass, %d fail, %d warn, %d error, %d skip", s.Pass, s.Fail, s.Warn, s.Error, s.Skip)
	if s.Waived > 0 {
		text += fmt.Sprintf(" (%d of them waived)", s.Waived)
	}
	return text
}
