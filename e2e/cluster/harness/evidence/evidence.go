// SPDX-License-Identifier: Apache-2.0

// Package evidence writes the evidence of a case that did not pass: objects, logs and calls. It does not depend on
// Scenario: callers specify what to read.
package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Write writes a file to the directory, which it creates if necessary.
func Write(dir, name string, content []byte) error {
	const dirMode, fileMode = 0o755, 0o644
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return fmt.Errorf("making a directory for evidence: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "_")), content, fileMode); err != nil {
		return fmt.Errorf("writing evidence: %w", err)
	}
	return nil
}

// WriteCalls writes the calls, one per line, to a file in the directory; without calls, it writes no file.
func WriteCalls(dir, name string, calls []trace.Call) error {
	if len(calls) == 0 {
		return nil
	}
	var lines []byte
	var problems []error
	for _, call := range calls {
		line, err := json.Marshal(call)
		problems = append(problems, err)
		lines = append(append(lines, line...), '\n')
	}
	return errors.Join(append(problems, Write(dir, name, lines))...)
}

// Since returns the calls that arrived after the time, in order.
func Since(began time.Time, calls []trace.Call) []trace.Call {
	calls = slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool { return call.Time.Before(began) })
	slices.SortStableFunc(calls, func(a, b trace.Call) int { return a.Time.Compare(b.Time) })
	return calls
}
