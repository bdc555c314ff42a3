// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"

	"google.golang.org/grpc"
)

// AskController hands ask a connection to the driver's controller, which ends with it.
// It is for what a report says of the driver.
func AskController(ctx context.Context, t *Target, ask func(grpc.ClientConnInterface)) error {
	dialer, err := t.dialer()
	if err != nil {
		return err
	}
	lines := newConnections(dialer)
	s := &Scenario{Target: t, kube: lines.Kube, lines: lines}
	controller, err := s.connect(ctx)
	if err == nil && len(controller.byNode) > 0 {
		ask(controller.first().conn)
	}
	return errors.Join(err, lines.close())
}
