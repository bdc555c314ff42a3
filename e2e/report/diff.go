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

// Change is a case or a requirement whose verdict differs in a newer report. Old or New is empty if that report does
// not have it.
type Change struct {
	ID       string
	Old, New suite.Verdict
	// Message is the case's message in the newer report.
	Message string
}

// Worse reports whether the change is to a failure or an error.
func (c Change) Worse() bool {
	bad := []suite.Verdict{suite.Failed, suite.Errored}
	return slices.Contains(bad, c.New) && !slices.Contains(bad, c.Old)
}

// Difference holds the changes from one report to a newer one.
type Difference struct {
	// From and To are the names of the two reports.
	From, To            string
	Cases, Requirements []Change
	// Facts are the lines about driver, suite and environment that differ.
	Facts []string
}

// Diff compares two reports of one driver. Cases that were not selected are left out.
func Diff(older, newer Run) Difference {
	d := Difference{From: older.Name, To: newer.Name}
	d.Cases = changes(casesByID(older.Report), casesByID(newer.Report))
	d.Requirements = changes(requirementsByID(older.Report), requirementsByID(newer.Report))
	fact := func(name, was, is string) {
		if was != is {
			d.Facts = append(d.Facts, fmt.Sprintf("%s: %s, was %s", name, orNone(is), orNone(was)))
		}
	}
	was, is := older.Report, newer.Report
	fact("driver", was.Driver.Name+" "+was.Driver.Version, is.Driver.Name+" "+is.Driver.Version)
	fact("capabilities", strings.Join(was.Driver.Capabilities, " "), strings.Join(is.Driver.Capabilities, " "))
	fact("suite", was.Suite.Version, is.Suite.Version)
	fact("Kubernetes", was.Environment.Kubernetes, is.Environment.Kubernetes)
	fact("zones", strings.Join(was.Environment.Zones, " "), strings.Join(is.Environment.Zones, " "))
	return d
}

// Worse reports whether a case newly fails or ends in an error.
func (d Difference) Worse() bool { return slices.ContainsFunc(d.Cases, Change.Worse) }

func orNone(text string) string {
	if strings.TrimSpace(text) == "" {
		return "none"
	}
	return text
}

// judged is a case or a requirement in a comparison.
type judged struct {
	id, message string
	verdict     suite.Verdict
}

func casesByID(r *ConformanceReport) []judged {
	var all []judged
	for _, c := range r.Cases {
		if c.DecidedBy != suite.ByFilter {
			all = append(all, judged{id: c.ID, verdict: c.Verdict, message: c.Message})
		}
	}
	return all
}

func requirementsByID(r *ConformanceReport) []judged {
	var all []judged
	for _, found := range r.Requirements {
		all = append(all, judged{id: found.ID, verdict: found.Verdict})
	}
	return all
}

// changes returns the differences: first those for the worse, in the order of the newer list, and last the items that the
// newer list lacks.
func changes(older, newer []judged) []Change {
	before := map[string]suite.Verdict{}
	for _, o := range older {
		before[o.id] = o.verdict
	}
	var found []Change
	for _, n := range newer {
		if before[n.id] != n.verdict {
			found = append(found, Change{ID: n.id, Old: before[n.id], New: n.verdict, Message: n.message})
		}
		delete(before, n.id)
	}
	for _, o := range older {
		if was, gone := before[o.id]; gone {
			found = append(found, Change{ID: o.id, Old: was})
		}
	}
	slices.SortStableFunc(found, func(a, b Change) int { return rank(a) - rank(b) })
	return found
}

func rank(c Change) int {
	switch {
	case c.Worse():
		return 0
	case c.Old != "" && c.New != "":
		return 1
	case c.New != "":
		return 2
	default:
		return 3
	}
}

const diffPage = `### {{ cell .From }} → {{ cell .To }}
{{ range .Facts }}
- {{ cell . }}
{{- end }}
{{ if not (or .Cases .Requirements) }}
No verdict of a case or a requirement changed.
{{ end }}
{{- with .Cases }}
| case | was | is |
| --- | --- | --- |
{{ range . -}}
| {{ cell .ID }} | {{ or .Old "-" }} | {{ if .Worse }}**{{ .New }}**{{ else }}{{ or .New "-" }}{{ end }} |
{{ end }}{{ range . }}{{ if and .Worse .Message }}
<details open><summary><b>{{ .New }}</b> {{ html .ID }}</summary>

<pre>{{ html .Message }}</pre>
</details>
{{ end }}{{ end }}{{ end }}
{{- with .Requirements }}
| requirement | was | is |
| --- | --- | --- |
{{ range . -}}
| {{ .ID }} | {{ or .Old "-" }} | {{ or .New "-" }} |
{{ end }}{{ end }}`

// MarkdownDiff prints the changes, for a pull request.
func MarkdownDiff(out io.Writer, d Difference) error {
	parsed, err := template.New("diff").Funcs(template.FuncMap{"cell": cell}).Parse(diffPage)
	if err != nil {
		return fmt.Errorf("parsing the page: %w", err)
	}
	if err := parsed.Execute(out, d); err != nil {
		return fmt.Errorf("printing what changed: %w", err)
	}
	return nil
}
