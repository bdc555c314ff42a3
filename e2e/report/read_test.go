// SPDX-License-Identifier: Apache-2.0

package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadFile(t *testing.T) {
	for _, c := range []struct {
		name, given, want string
	}{
		{"a report", sound, ""},
		{"no report", "", "reading the report: "},
		{"not YAML", "\t", "reading the report "},
		{"another kind of file", "kind: Pod\n", `is of kind "Pod"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "report.yaml")
			if c.given != "" {
				if err := os.WriteFile(path, []byte(c.given), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r, err := ReadFile(path)
			switch {
			case c.want == "" && (err != nil || len(r.Cases) != 2 || r.Driver.Name != "some.csi"):
				t.Errorf("got %+v, %v, want the report", r, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want an error that says %q", err, c.want)
			}
		})
	}
}
