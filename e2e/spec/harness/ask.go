// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// Ask runs ask with the driver outside of any case. The names of the objects that it creates contain the given name. Its
// calls return every error, and its objects are removed afterwards, or left for RemoveLeftovers. Ask returns the error of
// ask, or an error if the driver's claims cannot be read.
func (s *Suite) Ask(ctx context.Context, name string, ask func(ctx context.Context, under *Driver) error) (err error) {
	defer func() { err = s.Mask().Error(err) }()
	d := s.connect(name)
	ctx = attempt.Tolerant(ctx)
	claims, err := s.readClaims(ctx, d)
	if err != nil {
		return fmt.Errorf("a call that every case depends on failed: %w", err)
	}
	d.know(claims)
	noteOthers(ctx, d)
	defer func() {
		d.removeOrLeave(ctx)
		d.letGo()
	}()
	return ask(ctx, d)
}
