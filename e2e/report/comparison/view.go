// SPDX-License-Identifier: Apache-2.0

package comparison

import (
	"cmp"
	"fmt"
	"html/template"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// view is the data of the template.
type view struct {
	Policy   string
	Style    template.CSS
	Profiles []requirement.Profile
	Drivers  []driver
	Tiers    []tier
	// Clauses are the requirements that findings name.
	Clauses []requirement.Requirement
}

// driver is one report.
type driver struct {
	// ID is the prefix of all anchors for the driver, and the name of its badge.
	ID             string
	Implementation report.Implementation
	Name, Tier     string
	Suite, Began   string
	// Backend is the kind of the substitute for the storage; empty for real storage. Lacks is everything that it does not
	// do.
	Backend string
	Lacks   []conformance.Lack
	// Report, Reproduce and Badge are addresses relative to the page; Reproduce may be empty.
	Report, Reproduce, Badge string
	Summary                  report.Summary
	Profiles                 []profile
	Areas                    []area

	report *report.ConformanceReport
}

// badges is the directory of the badges, next to the page.
const badges = "badges"

// sections are the anchors of the template itself.
var sections = []string{"main", "profiles", "areas", "drivers", "requirements"}

func viewOf(entries []Entry) view {
	made := view{Profiles: requirement.Profiles()}
	taken := ids{}
	for _, section := range sections {
		taken.free(section)
	}
	for _, e := range sorted(entries) {
		made.Drivers = append(made.Drivers, driverOf(e, taken))
	}
	made.Tiers = tiersOf(made.Drivers, taken)
	made.Clauses = clausesOf(made.Drivers)
	return made
}

// sorted returns the entries in the order of the page: by driver, and the newest suite first.
func sorted(entries []Entry) []Entry {
	key := func(e Entry) string {
		i := e.Report.Implementation
		return strings.ToLower(i.Project) + "\n" + i.Version + "\n" + e.Report.Environment.Tier
	}
	ordered := slices.Clone(entries)
	slices.SortStableFunc(ordered, func(a, b Entry) int { return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(b.Suite, a.Suite)) })
	return ordered
}

func driverOf(e Entry, taken ids) driver {
	r := e.Report
	id := taken.free(r.Implementation.Project, r.Implementation.Version, r.Environment.Tier, e.Suite)
	made := driver{
		ID: id, Implementation: r.Implementation, Name: r.Driver.Name, Tier: r.Environment.Tier, Suite: suiteOf(r), Summary: r.Summary,
		Backend: r.Implementation.Backend.Kind, Lacks: conformance.LacksOf(r.Implementation.Backend),
		Report: path.Join(e.Suite, e.Driver, "report.yaml"), Badge: path.Join(badges, id+".svg"), report: r,
	}
	made.Began, _, _ = strings.Cut(r.Suite.Began, "T")
	if e.Reproduce {
		made.Reproduce = path.Join(e.Suite, e.Driver, reproduce)
	}
	anchor := func(words ...string) string { return taken.free(append([]string{id}, words...)...) }
	found := findingsOf(r, anchor)
	made.Profiles = profilesOf(r, anchor, found)
	made.Areas = areasOfDriver(r, anchor, found)
	return made
}

// suiteOf returns the version of the suite, and its commit if it is between releases.
func suiteOf(r *report.ConformanceReport) string {
	const enough = 12 // characters of a commit
	if strings.HasPrefix(r.Suite.Version, "v") || r.Suite.Commit == "" {
		return r.Suite.Version
	}
	return r.Suite.Commit[:min(len(r.Suite.Commit), enough)]
}

// ids are the anchors of a page.
type ids map[string]bool

// unlikeAnchor matches characters that an anchor replaces by a hyphen.
var unlikeAnchor = regexp.MustCompile(`[^a-z0-9]+`)

// free returns a unique anchor for the words, of lower-case letters, digits and hyphens.
func (taken ids) free(words ...string) string {
	id := cmp.Or(strings.Trim(unlikeAnchor.ReplaceAllString(strings.ToLower(strings.Join(words, " ")), "-"), "-"), "x")
	unique := id
	for n := 2; taken[unique]; n++ {
		unique = fmt.Sprintf("%s-%d", id, n)
	}
	taken[unique] = true
	return unique
}
