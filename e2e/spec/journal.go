// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/journal"
)

// keepJournal makes the run record what it asks the driver to make, in the report directory or else in its own. If the
// run is killed, Clean removes what it has left.
func (s *Suite) keepJournal() error {
	j, err := journal.Create(cmp.Or(s.options.Cases.ReportDir, s.options.Dir), journal.Head{
		Run: s.target.Run, Driver: s.driver.Name, Began: time.Now(), Dir: s.temporary,
	})
	if err != nil {
		return err
	}
	s.target.Journal = j
	s.target.Paths = harness.Remembering{Paths: s.target.Paths, Journal: j}
	return nil
}

// finish removes what is left, and the journal if nothing is.
func (s *Suite) finish(ctx context.Context, out io.Writer) error {
	if !s.cases.RemoveWhatIsLeft(ctx, out) {
		return s.target.Journal.Remove()
	}
	fmt.Fprintf(out, "\nWhat csi-topo made is in %s: once the driver answers, `csi-topo clean` with the same profile or endpoints tries again.\n", s.target.Journal.Path())
	if s.options.Cases.ReportDir == "" {
		s.remove = func() error { return nil } // the journal is in it
	}
	return s.target.Journal.Close()
}
