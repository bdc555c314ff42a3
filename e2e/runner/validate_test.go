// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		given Options
		want  string
	}{
		{name: "nothing set", given: Options{}},
		{name: "all set", given: Options{Focus: []string{"T-EQ"}, Skip: []string{"T-ID"}, Label: "req:TR-07 && !slow", ReportDir: filepath.Join(dir, "new")}},
		{name: "focus is no regular expression", given: Options{Focus: []string{"T-EQ", "T-("}}, want: `focus "T-(" is not a regular expression`},
		{name: "skip is no regular expression", given: Options{Skip: []string{"*"}}, want: `skip "*" is not a regular expression`},
		{name: "label is no label filter", given: Options{Label: "a && ("}, want: `label filter "a && (" is not one`},
		{name: "a requirement that there is not", given: Options{Requirements: []string{"TR-07", "TR-99"}}, want: `there is no requirement "TR-99"`},
		{name: "report directory is a file", given: Options{ReportDir: file}, want: "report directory cannot be made"},
		{name: "report directory is below a file", given: Options{ReportDir: filepath.Join(file, "report")}, want: "report directory cannot be made"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.given.Validate()
			switch {
			case test.want == "" && err != nil:
				t.Errorf("want no error, got %v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("want %q, got %v", test.want, err)
			}
		})
	}
	entries, err := os.ReadDir(filepath.Join(dir, "new"))
	if err != nil || len(entries) != 0 {
		t.Errorf("want an empty report directory, got %v, %v", entries, err)
	}
}
