// SPDX-License-Identifier: Apache-2.0

package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/template"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// matrixPage shows first where the runs differ or need attention, and folds the whole table away.
const matrixPage = `### {{ len .Columns }} runs of {{ cell .Drivers }}

| run | pass | fail | warn | error | skip | seconds |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
{{ range .Columns -}}
| {{ cell .Name }} | {{ with .Report.Summary }}{{ .Pass }} | {{ .Fail }} | {{ .Warn }} | {{ .Error }} | {{ .Skip }}{{ with .Waived }} ({{ . }} waived){{ end }} | {{ printf "%.0f" .Seconds }}{{ end }} |
{{ end }}
{{- if .Notable }}
| case |{{ range .Columns }} {{ cell .Name }} |{{ end }}
| --- |{{ range .Columns }} --- |{{ end }}
{{ range .Notable -}}
| {{ cell .ID }} |{{ range .Verdicts }} {{ . }} |{{ end }}
{{ end }}
{{- else }}
No case failed, warned or ended in an error, and none has another verdict in one run than in another.
{{ end }}
<details><summary>All cases</summary>

| case |{{ range .Columns }} {{ cell .Name }} |{{ end }}
| --- |{{ range .Columns }} --- |{{ end }}
{{ range .Rows -}}
| {{ cell .ID }} |{{ range .Verdicts }} {{ . }} |{{ end }}
{{ end }}
</details>
`

// matrixRow is one case, with its verdict in each of the reports: a dash if the report does not have it.
type matrixRow struct {
	ID       string
	Verdicts []string
}

// MarkdownMatrix prints several reports side by side, for a page such as the summary of a GitHub workflow. Reports of
// several drivers are named by their drivers too.
func MarkdownMatrix(out io.Writer, columns []Run) error {
	if len(columns) == 0 {
		return errors.New("printing reports side by side: want one or more, found none")
	}
	parsed, err := template.New("matrix").Funcs(template.FuncMap{"cell": cell}).Parse(matrixPage)
	if err != nil {
		return fmt.Errorf("parsing the page: %w", err)
	}
	columns = NameDrivers(columns)
	rows := rowsOf(columns)
	page := struct {
		Drivers       string
		Columns       []Run
		Rows, Notable []matrixRow
	}{Drivers: strings.Join(DriversOf(columns), " and "), Columns: columns, Rows: rows}
	for _, row := range rows {
		if row.notable() {
			page.Notable = append(page.Notable, row)
		}
	}
	if err := parsed.Execute(out, page); err != nil {
		return fmt.Errorf("printing the reports as Markdown: %w", err)
	}
	return nil
}

// rowsOf returns the cases of all reports, in the order in which they first appear.
func rowsOf(columns []Run) []matrixRow {
	var rows []matrixRow
	known := map[string]int{}
	for i, column := range columns {
		for _, c := range column.Report.Cases {
			at, found := known[c.ID]
			if !found {
				at = len(rows)
				known[c.ID] = at
				rows = append(rows, matrixRow{ID: c.ID, Verdicts: strings.Split(strings.Repeat("-", len(columns)), "")})
			}
			rows[at].Verdicts[i] = string(c.Verdict)
		}
	}
	return rows
}

// notable reports whether the case has several verdicts, or one that is neither pass nor skip.
func (r matrixRow) notable() bool {
	for _, v := range r.Verdicts {
		if v != r.Verdicts[0] || v != string(suite.Passed) && v != string(suite.Skipped) {
			return true
		}
	}
	return false
}
