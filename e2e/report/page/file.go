package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// fileName is that of the page in a report directory.
const fileName = "report.html"

// WriteDir writes report.html into the report directory, beside the files that report.WriteDir has written there.
func WriteDir(dir string, r *report.ConformanceReport) error {
	calls, err := readCalls(filepath.Join(dir, report.CallsFile))
	if err != nil {
		return err
	}
	return report.Replace(dir, fileName, func(path string) error {
		var text bytes.Buffer
		if err := Write(&text, []Run{{Report: r, Calls: calls}}); err != nil {
			return err
		}
		return os.WriteFile(path, text.Bytes(), 0o644) //nolint:gosec // a report is for everybody
	})
}

// ReadRun reads a report.yaml and, where there is one beside it, its calls.jsonl.
func ReadRun(path, name string) (Run, error) {
	r, err := report.ReadFile(path)
	if err != nil {
		return Run{}, err
	}
	calls, err := readCalls(filepath.Join(filepath.Dir(path), report.CallsFile))
	return Run{Name: name, Report: r, Calls: calls}, err
}

// readCalls are the lines of a calls.jsonl; none where there is no such file.
func readCalls(path string) ([]json.RawMessage, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the calls of a report: %w", err)
	}
	var calls []json.RawMessage
	for line := range bytes.Lines(content) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if !json.Valid(line) {
			return nil, fmt.Errorf("reading %s: line %d is no JSON: want a file that csi-topo wrote", path, len(calls)+1)
		}
		calls = append(calls, line)
	}
	return calls, nil
}
