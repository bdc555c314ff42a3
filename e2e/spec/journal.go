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

// keepJournal makes the run record the objects that it requests from the driver, in the report directory or else in its own
// directory. If the run is killed, Clean removes these objects.
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

// finish removes the remaining objects, and the journal if none is left.
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
