// SPDX-License-Identifier: Apache-2.0

package comparison

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// Unreleased is the folder of reports from versions of csi-topo between two releases.
const Unreleased = "unreleased"

// reproduce is the page that says how to repeat a run.
const reproduce = "README.md"

// Entry is one published report of a folder of reports.
type Entry struct {
	// Suite and Driver are the names of its folders: the suite's version, and the driver below it.
	Suite, Driver string
	Report        *report.ConformanceReport
	// Reproduce says that a page next to the report explains how to repeat the run.
	Reproduce bool
}

// dir returns the folder of the entry below the root folder.
func (e Entry) dir() string { return filepath.Join(e.Suite, e.Driver) }

// Read returns the reports root/SUITE/DRIVER/report.yaml, in the order of their folders. It returns an error that names
// each folder whose report cannot be compared: verify, which gets the folder, refuses it, it is not a published report, its
// folder is for another version of the suite, or another report has the same driver, version and tier.
func Read(root string, verify func(dir string) error) ([]Entry, error) {
	dirs, err := Folders(root)
	if err != nil {
		return nil, err
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf("%s has no reports: want %s", root, filepath.Join(root, "SUITE", "DRIVER", "report.yaml"))
	}
	var entries []Entry
	var problems []error
	known := map[string]string{}
	for _, dir := range dirs {
		e, err := read(dir, verify)
		if err == nil {
			if other := known[e.identity()]; other != "" {
				err = fmt.Errorf("it is of the same driver, version and tier as %s: want only one of them", other)
			}
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s cannot be compared: %w", filepath.Join(dir, "report.yaml"), err))
			continue
		}
		known[e.identity()] = dir
		entries = append(entries, e)
	}
	return entries, errors.Join(problems...)
}

// Folders returns the folders of drivers below root, root/SUITE/DRIVER.
func Folders(root string) ([]string, error) {
	below := os.DirFS(root)
	names, err := fs.Glob(below, "*/*")
	if err != nil {
		return nil, fmt.Errorf("looking for reports in %s: %w", root, err)
	}
	var dirs []string
	for _, name := range names {
		if info, err := fs.Stat(below, name); err == nil && info.IsDir() {
			dirs = append(dirs, filepath.Join(root, filepath.FromSlash(name)))
		}
	}
	return dirs, nil
}

func read(dir string, verify func(dir string) error) (Entry, error) {
	e := Entry{Suite: filepath.Base(filepath.Dir(dir)), Driver: filepath.Base(dir)}
	var err error
	if e.Report, err = report.ReadFile(dir); err != nil {
		return e, err
	}
	if e.Report.Original == "" {
		return e, errors.New("it is not published: want what csi-topo report publish wrote")
	}
	if err := verify(dir); err != nil {
		return e, firstOf(err, dir)
	}
	if version := e.Report.Suite.Version; e.Suite != Unreleased && e.Suite != version {
		return e, fmt.Errorf("csi-topo %s wrote it: want it in the folder of that version, or in %s", version, Unreleased)
	}
	_, err = os.Stat(filepath.Join(dir, reproduce))
	e.Reproduce = err == nil
	return e, nil
}

// firstOf returns the first of the problems of a report, and how to see the others.
func firstOf(err error, dir string) error {
	first, others, _ := strings.Cut(err.Error(), "\n")
	if others == "" {
		return errors.New(first)
	}
	return fmt.Errorf("%s; csi-topo report verify %s lists %d more", first, dir, 1+strings.Count(others, "\n"))
}

// identity returns a key that distinguishes the report from the others of a version of the suite.
func (e Entry) identity() string {
	i := e.Report.Implementation
	return strings.Join([]string{e.Suite, i.Organization, i.Project, i.Version, e.Report.Driver.Name, e.Report.Environment.Tier}, "\n")
}
