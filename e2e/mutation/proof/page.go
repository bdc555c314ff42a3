// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed page.html
var pageText string

// shownDriver is a row of the page.
type shownDriver struct {
	Driver
	// As is missed, caught, alarm or clean.
	As        string
	Clauses   string
	By, Other string
	Seen      string
}

// page returns the result of the run as one self-contained HTML file.
func (p *Proof) page() ([]byte, error) {
	parsed, err := template.New(PageName).Parse(pageText)
	if err != nil {
		return nil, fmt.Errorf("parsing the page of the proof: %w", err)
	}
	as := p.words()
	content := struct {
		Tier, Other string
		Counts      []Count
		Drivers     []shownDriver
	}{Tier: as.tier, Other: as.other, Counts: p.Counts()}
	for _, d := range p.Drivers {
		content.Drivers = append(content.Drivers, shown(d))
	}
	var page bytes.Buffer
	if err := parsed.Execute(&page, content); err != nil {
		return nil, fmt.Errorf("writing the page of the proof: %w", err)
	}
	return page.Bytes(), nil
}

func shown(d Driver) shownDriver {
	row := shownDriver{Driver: d, Clauses: d.Clause, By: strings.Join(d.By, ", "), Other: notAsked, Seen: seen(d)}
	if other := d.Other(); other != nil {
		row.Other = strings.Join(other.By, ", ")
	}
	switch {
	case d.Error != "":
		row.As, row.By = "missed", d.Error
	case d.Right && d.Caught:
		row.As = "alarm"
	case d.Right:
		row.As = "clean"
	case d.Caught:
		row.As = "caught"
	default:
		row.As = "missed"
	}
	return row
}

// OfAsked returns the number that the other suite caught, with the total.
func (c Count) OfAsked() string { return c.ofAsked() }
