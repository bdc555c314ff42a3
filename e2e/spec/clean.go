// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/journal"
)

// Leavings selects the runs whose objects Clean removes.
type Leavings struct {
	// Journals are the journals of the runs; if empty, the journals in the report directory of the options and in the
	// directory for temporary files.
	Journals []string
	// DryRun prints the objects that would be removed, and removes nothing.
	DryRun bool
}

// Clean removes the objects that killed runs have left in the driver of the options, according to their journals, and
// nothing else: it ends publications, and deletes volumes and snapshots. It prints the objects first. It ignores runs that
// have not ended, and runs of other drivers. An error means that something is left.
func Clean(ctx context.Context, o Options, of Leavings) (err error) {
	s, err := Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	paths, err := of.journals(o.Cases.ReportDir)
	if err != nil {
		return err
	}
	out := s.options.Cases.Out
	if len(paths) == 0 {
		fmt.Fprintln(out, "No run has left a journal: there is nothing to remove.")
		return nil
	}
	var failed []error
	for _, path := range paths {
		if err := s.clean(ctx, path, of, out); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", path, err))
		}
	}
	return errors.Join(failed...)
}

func (of Leavings) journals(reportDir string) ([]string, error) {
	if len(of.Journals) > 0 {
		return of.Journals, nil
	}
	patterns := []string{filepath.Join(os.TempDir(), "csi-topo-*", journal.Pattern)}
	if reportDir != "" {
		patterns = append(patterns, filepath.Join(reportDir, journal.Pattern))
	}
	var found []string
	for _, pattern := range patterns {
		more, err := filepath.Glob(pattern)
		if err != nil {
			return nil, fmt.Errorf("looking for journals: %w", err)
		}
		found = append(found, more...)
	}
	return found, nil
}

// clean removes the objects that the run of the journal has left, and the journal if none remains.
func (s *Suite) clean(ctx context.Context, path string, of Leavings, out io.Writer) (err error) {
	j, head, lines, err := journal.Open(path)
	if errors.Is(err, journal.ErrInUse) {
		fmt.Fprintf(out, "%s: the run has not ended, and is left alone\n", path)
		return nil
	}
	if err != nil {
		return err
	}
	done := j.Close
	defer func() { err = errors.Join(err, done()) }()
	if head.Driver != s.driver.Name {
		fmt.Fprintf(out, "%s: run %s was against the driver %s, and is left alone\n", path, head.Run, head.Driver)
		return nil
	}
	target := *s.target
	target.Run = head.Run
	recalled, err := harness.New(&target).Recall(ctx, lines)
	if err != nil {
		return err
	}
	entries := recalled.Entries()
	fmt.Fprintf(out, "%s: run %s of %s left this, or may have:\n  %s\n", path, head.Run, head.Began.Format("2006-01-02 15:04:05"), list(entries, "nothing"))
	if others := recalled.Others(); len(others) > 0 {
		fmt.Fprintf(out, "The driver also returned the following, which is not touched, because nothing shows that the run made it:\n  %s\n", list(others, ""))
	}
	if of.DryRun {
		return nil
	}
	left := recalled.Remove(ctx)
	for _, node := range recalled.UnknownNodes() {
		left = append(left, fmt.Sprintf("whatever is on %s, which is not among the node endpoints", strings.TrimPrefix(node, "node ")))
	}
	if len(left) > 0 {
		return fmt.Errorf("this is left, or may be:\n%s", strings.Join(left, "\n"))
	}
	fmt.Fprintf(out, "removed\n")
	done = func() error { return errors.Join(j.Remove(), removeDir(head.Dir)) }
	return nil
}

func list(lines []string, otherwise string) string {
	if len(lines) == 0 {
		return otherwise
	}
	return strings.Join(lines, "\n  ")
}
