// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Ask has ask see the driver outside of any case, under a name that is part of those of what it creates. Its calls return
// every error, and what it creates is removed afterwards, or left for RemoveLeftovers. The error is that of ask, or says
// that the driver does not tell what it claims.
func (s *Suite) Ask(ctx context.Context, name string, ask func(ctx context.Context, under *Driver) error) (err error) {
	defer func() { err = s.Mask().Error(err) }()
	d := s.connect(name)
	ctx = attempt.Tolerant(ctx)
	claims, err := s.readClaims(ctx, d)
	if err != nil {
		return fmt.Errorf("every case needs an answer to a call that failed: %w", err)
	}
	d.know(claims)
	noteOthers(ctx, d)
	// After an interrupt, too, what was created is removed.
	defer func() {
		cleaning, cancel := suite.CleanUp(ctx, s.target.Timeouts.Cleanup)
		defer cancel()
		if d.StartOver(cleaning) != nil {
			s.health.Leave(d.ledger.Clear())
		}
		d.letGo()
	}()
	return ask(ctx, d)
}
