// SPDX-License-Identifier: Apache-2.0

package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// matrixPage first shows the cases that differ or need attention, and collapses the whole table.
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
No case failed, warned or ended in an error, and every case has the same verdict in all runs.
{{ end }}
<details><summary>All cases</summary>

| case |{{ range .Columns }} {{ cell .Name }} |{{ end }}
| --- |{{ range .Columns }} --- |{{ end }}
{{ range .Rows -}}
| {{ cell .ID }} |{{ range .Verdicts }} {{ . }} |{{ end }}
{{ end }}
</details>
`

// MatrixRow is one case, with its verdict in each of the reports: a dash if the report does not have the case, and nothing
// if its command line left the case out.
type MatrixRow struct {
	ID       string
	Verdicts []string
}

// MarkdownMatrix prints several reports side by side, for a page such as the summary of a GitHub workflow. If there are
// several drivers, the names of reports include the driver.
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
		Rows, Notable []MatrixRow
	}{Drivers: strings.Join(DriversOf(columns), " and "), Columns: columns, Rows: rows, Notable: Notable(columns)}
	if err := parsed.Execute(out, page); err != nil {
		return fmt.Errorf("printing the reports as Markdown: %w", err)
	}
	return nil
}

// Notable returns the cases that need attention, or whose verdicts differ between the reports.
func Notable(columns []Run) []MatrixRow {
	return slices.DeleteFunc(rowsOf(columns), func(row MatrixRow) bool { return !row.notable() })
}

// rowsOf returns the cases of all reports, in the order in which they first appear.
func rowsOf(columns []Run) []MatrixRow {
	var rows []MatrixRow
	known := map[string]int{}
	for i, column := range columns {
		for _, c := range column.Report.Cases {
			at, found := known[c.ID]
			if !found {
				at = len(rows)
				known[c.ID] = at
				rows = append(rows, MatrixRow{ID: c.ID, Verdicts: slices.Repeat([]string{"-"}, len(columns))})
			}
			rows[at].Verdicts[i] = string(c.Verdict)
			if c.DecidedBy == suite.ByFilter {
				rows[at].Verdicts[i] = ""
			}
		}
	}
	return rows
}

// notable reports whether the case has several verdicts, or one that is neither pass nor skip.
func (r MatrixRow) notable() bool {
	found := slices.DeleteFunc(slices.Clone(r.Verdicts), func(v string) bool { return v == "" })
	return slices.ContainsFunc(found, func(v string) bool {
		return v != found[0] || v != string(suite.Passed) && v != string(suite.Skipped)
	})
}
