// SPDX-License-Identifier: Apache-2.0

package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

//go:embed assets
var assets embed.FS

// Write writes the page of the runs. It returns an error if there are no runs.
func Write(w io.Writer, runs []report.Run) error {
	if len(runs) == 0 {
		return errors.New("writing the page of a report: want one report or more, found none")
	}
	made, err := contents(named(runs))
	if err != nil {
		return err
	}
	parsed, err := template.New("page.html").ParseFS(assets, "assets/page.html")
	if err != nil {
		return fmt.Errorf("parsing the page of a report: %w", err)
	}
	if err := parsed.Execute(w, made); err != nil {
		return fmt.Errorf("writing the page of a report: %w", err)
	}
	return nil
}

// named returns the runs without their directories' names if their tiers distinguish them, since the names of directories
// are arbitrary. Otherwise, if there are several drivers, the names include the driver.
func named(runs []report.Run) []report.Run {
	tiers := map[string]bool{}
	renamed := slices.Clone(runs)
	for i, run := range runs {
		tiers[run.Report.Environment.Tier] = true
		renamed[i].Name = ""
	}
	if len(tiers) == len(runs) && len(report.DriversOf(runs)) < 2 {
		return renamed
	}
	return report.NameDrivers(runs)
}

// content is the data of the template.
type content struct {
	Title    string
	Policy   string
	Style    template.CSS
	Script   template.JS
	Data     template.HTML
	Calls    []callsBlock
	Headline headline
	Runs     []runHead
	Findings []findingView
	// Failures counts the findings that are not warnings; Warnings counts the others.
	Failures int
	Warnings []findingView
	NotRun   []report.LeftOut
	// Matrix has the cases of several runs that need attention; none for a single run.
	Matrix []report.MatrixRow
}

// callsBlock holds the calls of one run.
type callsBlock struct {
	Run  int
	Data template.HTML
}

func contents(runs []report.Run) (content, error) {
	style, styleHash, err := Style("base", "findings", "matrix", "cases", "zones", "calls", "register", "print")
	if err != nil {
		return content{}, err
	}
	script, err := joined("script", "dom", "data", "filters", "zones", "timeline", "calls", "case", "cases", "register", "main")
	if err != nil {
		return content{}, err
	}
	script = "\n\"use strict\";\n(() => {\n" + script + "})();\n"
	findings := findingsOf(runs)
	failures := slices.IndexFunc(findings, func(f findingView) bool { return f.Verdict == suite.Warned })
	if failures < 0 {
		failures = len(findings)
	}
	packed, err := pack(dataOf(runs))
	if err != nil {
		return content{}, err
	}
	made := content{
		Title:    title(runs),
		Policy:   fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'", styleHash, hash(script)),
		Style:    style,
		Script:   template.JS(script), //nolint:gosec // embedded
		Data:     packed,
		Calls:    packCalls(runs),
		Headline: headlineOf(runs, findings),
		Runs:     headsOf(runs),
		Findings: findings,
		Failures: failures,
		Warnings: findings[failures:],
		NotRun:   notRun(runs),
	}
	if len(runs) > 1 {
		made.Matrix = report.Notable(runs)
	}
	return made, nil
}

// Style returns the styles of the page by their names, one after another, and their source for a content security policy.
func Style(names ...string) (style template.CSS, source string, err error) {
	text, err := joined("style", names...)
	if err != nil {
		return "", "", err
	}
	text = "\n" + text
	return template.CSS(text), hash(text), nil //nolint:gosec // embedded
}

// joined returns the embedded files of a kind, in the order of the names.
func joined(kind string, names ...string) (string, error) {
	suffix := map[string]string{"style": "css", "script": "js"}[kind]
	var text strings.Builder
	for _, name := range names {
		file, err := assets.ReadFile("assets/" + kind + "/" + name + "." + suffix)
		if err != nil {
			return "", fmt.Errorf("reading the page's %s: %w", kind, err)
		}
		text.Write(bytes.TrimSpace(file))
		text.WriteString("\n")
	}
	return text.String(), nil
}

// hash returns the source of an embedded style or script for a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
