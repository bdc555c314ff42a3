// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/report/comparison"
)

// TestPublishedReports verifies every report in reports/, as report compare does, and checks that anyone can repeat the
// run: the page and the profile are there.
func TestPublishedReports(t *testing.T) {
	root := filepath.Join(repository, "reports")
	if _, err := os.Stat(filepath.Join(root, "README.md")); err != nil {
		t.Fatal(err)
	}
	dirs, err := comparison.Folders(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		t.Fatalf("%s has no reports", root)
	}
	if _, err := comparison.Read(root, verifyKept); err != nil {
		t.Error(err)
	}
	for _, dir := range dirs {
		for _, file := range []string{"README.md", "profile.yaml"} {
			if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
				t.Errorf("%s is missing or empty (%v)", filepath.Join(dir, file), err)
			}
		}
		sameProfile(t, dir)
	}
}

// sameProfile fails the test unless the profile next to the report is the run's.
func sameProfile(t *testing.T, dir string) {
	t.Helper()
	file := filepath.Join(dir, "profile.yaml")
	if _, err := profile.Load(file); err != nil {
		t.Error(err)
		return
	}
	text, err := profile.Public(file)
	if err != nil {
		t.Error(err)
		return
	}
	r, err := report.ReadFile(dir)
	if err != nil {
		return // the report is wrong, which is already reported
	}
	if r.Suite.Profile != text {
		t.Errorf("%s is not the profile of the run, which the report has as\n%s", file, r.Suite.Profile)
	}
}
