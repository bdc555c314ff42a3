// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"strings"
	"text/template"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// markdownPage shows what needs attention first, each with its message, and folds the whole list of cases away.
const markdownPage = `### {{ .Environment.Tier }} tier: {{ counts .Summary }} in {{ printf "%.0f" .Summary.Seconds }} s

{{ with .Driver }}{{ .Name }} {{ .Version }}{{ end -}}
{{ with .Environment }}{{ with .Kubernetes }}, Kubernetes {{ . }}{{ end }}, {{ .Nodes }} nodes in {{ len .Zones }} zones{{ end }}, seed {{ .Suite.Seed }}
{{ with .NotNeeded }}
Waivers that are no longer needed: {{ join . ", " }}
{{ end -}}
{{ range attention .Cases }}
<details open><summary><b>{{ .Verdict }}</b> {{ html .ID }} ({{ html .Area }}; verifies {{ join .Requirements ", " }})</summary>

<pre>{{ html .Reason }}
{{ html .Message }}</pre>
</details>
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
		"attention": attention,
		"cell":      cell,
		"counts":    Summary.String,
		"join":      strings.Join,
	}).Parse(markdownPage)
	if err != nil {
		return fmt.Errorf("parsing the page: %w", err)
	}
	if err := parsed.Execute(out, r); err != nil {
		return fmt.Errorf("printing the report as Markdown: %w", err)
	}
	return nil
}

// attention returns the cases that neither passed nor were left out.
func attention(cases []Case) []Case {
	var found []Case
	for _, c := range cases {
		if c.Verdict != suite.Passed && c.Verdict != suite.Skipped {
			found = append(found, c)
		}
	}
	return found
}

// cell is text in the form that a cell of a Markdown table can hold.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

// String is the number of cases by verdict.
func (s Summary) String() string {
	text := fmt.Sprintf("%d pass, %d fail, %d warn, %d error, %d skip", s.Pass, s.Fail, s.Warn, s.Error, s.Skip)
	if s.Waived > 0 {
		text += fmt.Sprintf(" (%d of them waived)", s.Waived)
	}
	return text
}
