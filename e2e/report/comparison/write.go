// SPDX-License-Identifier: Apache-2.0

package comparison

import (
	"bytes"
	_ "embed" // page.html
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/report/page"
)

// indexFile is the name of the page.
const indexFile = "index.html"

//go:embed page.html
var pageFile string

// WriteDir writes into dir the page of the entries of root, and a badge and a copy of the folder of each, so that the links
// of the page work wherever dir is moved.
func WriteDir(dir, root string, entries []Entry) error {
	made := viewOf(entries)
	var text bytes.Buffer
	if err := write(&text, made); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, badges), 0o755); err != nil {
		return fmt.Errorf("making the directory for the page: %w", err)
	}
	for _, e := range entries {
		if err := copyFolder(filepath.Join(root, e.dir()), filepath.Join(dir, e.dir())); err != nil {
			return err
		}
	}
	for _, d := range made.Drivers {
		if err := writeBadge(dir, d); err != nil {
			return err
		}
	}
	return report.Replace(dir, indexFile, func(path string) error {
		return os.WriteFile(path, text.Bytes(), 0o644) //nolint:gosec // the page is for everybody
	})
}

// write writes the page.
func write(w io.Writer, made view) error {
	style, source, err := page.Style("base", "matrix", "comparison", "print")
	if err != nil {
		return err
	}
	made.Style = style
	made.Policy = fmt.Sprintf("default-src 'none'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'", source)
	parsed, err := template.New(indexFile).Parse(pageFile)
	if err != nil {
		return fmt.Errorf("parsing the page that compares drivers: %w", err)
	}
	if err := parsed.Execute(w, made); err != nil {
		return fmt.Errorf("writing the page that compares drivers: %w", err)
	}
	return nil
}

// writeBadge writes the badge of a driver: the outcome of the core profile.
func writeBadge(dir string, d driver) error {
	i := d.report.Implementation
	core, outcome := coreOf(d.report)
	return report.Replace(filepath.Join(dir, badges), d.ID+".svg", func(path string) error {
		var picture bytes.Buffer
		if err := report.OutcomeBadge(&picture, i.Project+" "+i.Version, core+", "+d.Tier+" tier", outcome); err != nil {
			return err
		}
		return os.WriteFile(path, picture.Bytes(), 0o644) //nolint:gosec // the badge is for everybody
	})
}

// coreOf returns the name of the core profile and its outcome, without the failures that the back end explains.
func coreOf(r *report.ConformanceReport) (name string, outcome report.Outcome) {
	for _, p := range r.Profiles {
		if p.Core {
			outcome, _ = conformance.Explain(p, r.Implementation.Backend)
			return p.Name, outcome
		}
	}
	return "core", "not judged"
}
