// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"unicode/utf8"
)

// badge is the content of a badge for one or more reports.
type badge struct {
	Label, Message, Color string
}

func badgeOf(runs []Run) badge {
	var sum Summary
	exercised := true
	for _, run := range runs {
		s := run.Report.Summary
		sum.Pass, sum.Fail, sum.Warn, sum.Error = sum.Pass+s.Pass, sum.Fail+s.Fail, sum.Warn+s.Warn, sum.Error+s.Error
		exercised = exercised && s.exercised() > 0
	}
	made := badge{Label: "csi-topo"}
	switch {
	case sum.Fail > 0:
		made.Message, made.Color = fmt.Sprintf("%d failed", sum.Fail), "#a40e26"
	case sum.Error > 0 || !exercised:
		made.Message, made.Color = "could not tell", "#6639ba"
	case sum.Warn > 0:
		made.Message, made.Color = fmt.Sprintf("%d passed, %d warned", sum.Pass, sum.Warn), "#116329"
	default:
		made.Message, made.Color = fmt.Sprintf("%d passed", sum.Pass), "#116329"
	}
	return made
}

// ShieldsBadge prints the badge of the runs in the format of shields.io's endpoint badge.
func ShieldsBadge(out io.Writer, runs []Run) error {
	b := badgeOf(runs)
	err := json.NewEncoder(out).Encode(map[string]any{"schemaVersion": 1, "label": b.Label, "message": b.Message, "color": b.Color})
	if err != nil {
		return fmt.Errorf("printing the badge: %w", err)
	}
	return nil
}

const badgeSVG = `<svg xmlns="http://www.w3.org/2000/svg" width="{{ .Width }}" height="20" role="img" aria-label="{{ .Label }}: {{ .Message }}">
<title>{{ .Label }}: {{ .Message }}</title>
<rect width="{{ .Width }}" height="20" rx="3" fill="#424a53"/>
<path d="M{{ .Left }} 0h{{ .Inner }}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{{ .Inner }}z" fill="{{ .Color }}"/>
<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="7" y="14" textLength="{{ .LabelText }}">{{ .Label }}</text>
<text x="{{ .MessageAt }}" y="14" textLength="{{ .MessageText }}">{{ .Message }}</text>
</g>
</svg>
`

// SVGBadge prints the badge of the runs as a picture.
func SVGBadge(out io.Writer, runs []Run) error { return badgeOf(runs).print(out) }

// OutcomeBadge prints a picture that shows an outcome and its subject.
func OutcomeBadge(out io.Writer, label, of string, outcome Outcome) error {
	color := map[Outcome]string{Success: "#116329", Failure: "#a40e26", NotClaimed: "#57606a"}[outcome]
	return badge{Label: label, Message: of + ": " + outcome.Words(), Color: cmp.Or(color, "#7d4e00")}.print(out)
}

// print prints the badge as a picture.
func (b badge) print(out io.Writer) error {
	const margin, corner, perLetter = 7, 3, 7 // pixels
	label, message := perLetter*utf8.RuneCountInString(b.Label), perLetter*utf8.RuneCountInString(b.Message)
	left := label + 2*margin
	parsed, err := template.New("badge").Parse(badgeSVG)
	if err != nil {
		return fmt.Errorf("parsing the badge: %w", err)
	}
	err = parsed.Execute(out, struct {
		badge
		Width, Left, Inner, LabelText, MessageAt, MessageText int
	}{b, left + message + 2*margin, left, message + 2*margin - corner, label, left + margin, message})
	if err != nil {
		return fmt.Errorf("printing the badge: %w", err)
	}
	return nil
}
