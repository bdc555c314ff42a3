// SPDX-License-Identifier: Apache-2.0

package page

import (
	"bytes"
	"os"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// fileName is the name of the page in a report directory.
const fileName = "report.html"

// WriteDir writes report.html into the report directory, next to the other files of the runs.
func WriteDir(dir string, runs []report.Run) error {
	return report.Replace(dir, fileName, func(path string) error {
		var text bytes.Buffer
		if err := Write(&text, runs); err != nil {
			return err
		}
		return os.WriteFile(path, text.Bytes(), 0o644) //nolint:gosec // a report is for everybody
	})
}
