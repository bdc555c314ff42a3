// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// markdownPage shows what needs attention first, each with its message, and folds the whole list of cases away.
const markdownPage = `### {{ .Environment.Tier }} tier: {{ counts .Summary }} in {{ printf "%.0f" .Summary.Seconds }} s

{{ with .Driver }}{{ .Name }} {{ .Version }}{{ end -}}
{{ with .Environment }}{{ with .Kubernetes }}, Kubernetes {{ . }}{{ end }}, {{ .Nodes }} nodes in {{ len .Zones }} zones{{ end }}, seed {{ .Suite.Seed }}
{{ range findings $ }}
<details open><summary><b>{{ .Shown.Verdict }}</b> {{ html .Shown.ID }} ({{ html .Shown.Area }}; {{ with clauses . }}{{ join . ", " }}{{ end }})</summary>

<pre>{{ html .Shown.Reason }}
{{ html .Shown.Message }}</pre>
{{ with .Others }}
The same in {{ len . }} more: {{ join . ", " }}
{{ end }}</details>
{{ end }}{{ range notRun $ }}
**error** {{ len .IDs }} not run: {{ html .Why }}
{{ end }}
<details><summary>All cases</summary>

| case | area | verifies | verdict | seconds |
| --- | --- | --- | --- | ---: |
{{ range .Cases -}}
| {{ cell .ID }} | {{ cell .Area }} | {{ join .Requirements ", " }} | {{ .Verdict }}{{ with .Reason }}: {{ cell . }}{{ end }} | {{ printf "%.1f" .Seconds }} |
{{ end }}
</details>
`

// Markdown prints the report for a page such as the summary of a GitHub workflow.
func Markdown(out io.Writer, r *ConformanceReport) error {
	parsed, err := template.New("report").Funcs(template.FuncMap{
		"cell":     cell,
		"clauses":  Finding.clauses,
		"counts":   Summary.String,
		"findings": allFindings,
		"join":     strings.Join,
		"notRun":   NotRun,
	}).Parse(markdownPage)
	if err != nil {
		return fmt.Errorf("parsing the page: %w", err)
	}
	if err := parsed.Execute(out, r); err != nil {
		return fmt.Errorf("printing the report as Markdown: %w", err)
	}
	return nil
}

// allFindings are those of all verdicts that need attention: failures, then errors, then warnings.
func allFindings(r *ConformanceReport) []Finding {
	return slices.Concat(Findings(r, suite.Failed), Findings(r, suite.Errored), Findings(r, suite.Warned))
}

// clauses says how the finding stands to which requirements, the first with the words for that.
func (f Finding) clauses() []string {
	blamed := slices.Concat(f.Shown.Blamed, f.Also)
	words := relation(f.Shown.Verdict, false)
	if len(blamed) == 0 {
		words, blamed = "verifies", slices.Clone(f.Shown.Requirements)
	}
	if len(blamed) > 0 {
		blamed[0] = words + " " + blamed[0]
	}
	return blamed
}

// cell is text in the form that a cell of a Markdown table can hold.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

// String is the number of cases by verdict.
func (s Summary) String() string {
	return fmt.Sprintf("%d pass, %d fail, %d warn, %d error, %d skip", s.Pass, s.Fail, s.Warn, s.Error, s.Skip)
}
