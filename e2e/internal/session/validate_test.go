// SPDX-License-Identifier: Apache-2.0

package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestValidate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		given suite.Options
		want  string
	}{
		{name: "nothing set"},
		{name: "all set", given: suite.Options{Focus: []string{"T-EQ"}, Skip: []string{"T-ID"}, Label: "req:TR-07 && !slow", Requirements: []string{"TR-07"},
			Timeout: time.Hour, ReportDir: filepath.Join(dir, "new")}},
		{name: "focus is no regular expression", given: suite.Options{Focus: []string{"T-EQ", "T-("}}, want: `focus "T-(" is not a regular expression`},
		{name: "skip is no regular expression", given: suite.Options{Skip: []string{"*"}}, want: `skip "*" is not a regular expression`},
		{name: "label is no label filter", given: suite.Options{Label: "a && ("}, want: `label filter "a && (" is not one`},
		{name: "a requirement that does not exist", given: suite.Options{Requirements: []string{"TR-07", "TR-99"}}, want: `there is no requirement "TR-99"`},
		{name: "a negative time limit", given: suite.Options{Timeout: -time.Second}, want: "the time limit of the run is -1s"},
		{name: "report directory is a file", given: suite.Options{ReportDir: file}, want: "report directory cannot be made"},
		{name: "report directory is below a file", given: suite.Options{ReportDir: filepath.Join(file, "report")}, want: "report directory cannot be made"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Validate(c.given)
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("want %q, got %v", c.want, err)
			}
		})
	}
	entries, err := os.ReadDir(filepath.Join(dir, "new"))
	if err != nil || len(entries) != 0 {
		t.Errorf("want an empty report directory, got %v, %v", entries, err)
	}
}
